"""The OpenAPI description, made from the endpoints and their parameters."""

from collections.abc import Sequence
from typing import Any

from isoalign._core.version import VERSION
from isoalign.translation import LEVELS
from isoalign.web._api import Endpoint

__all__ = ["describe_api"]

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_COUNT: Schema = {"type": "integer"}
_TRUTH: Schema = {"type": "boolean"}
_LEVEL: Schema = {"type": "string", "enum": [*LEVELS]}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _maybe(kind: str, **more: Any) -> Schema:
    return {"type": [kind, "null"], **more}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_DIRECTION = {"model": _TEXT, "member": _TEXT, "to": _TEXT}
_CONFIDENCE: Schema = {"anyOf": [_ref("Confidence"), {"type": "null"}]}
_ROUNDS = _array(_array(_ref("Neighbor")))
_SCHEMAS: dict[str, Schema] = {
    "Health": _object(status=_TEXT, warm=_TRUTH, version=_TEXT),
    "Member": _object(name=_TEXT, lang=_maybe("string"), words=_COUNT, dim=_COUNT, examples=_array(_TEXT)),
    "Credit": _object(what=_TEXT, licence=_TEXT, homepage=_TEXT, acknowledgement=_TEXT),
    "Model": _object(
        name=_TEXT,
        method=_maybe("string"),
        normalize=_maybe("string"),
        members=_array(_ref("Member")),
        calibrations=_array(_ref("Calibration")),
        credits=_array(_ref("Credit")),
    ),
    "Calibration": _object(
        member=_TEXT,
        to=_TEXT,
        words=_COUNT,
        levels=_array(_object(level=_LEVEL, right=_COUNT, n=_COUNT, low=_NUMBER, high=_NUMBER)),
    ),
    "Confidence": _object(level=_maybe("string", enum=[*LEVELS, None]), mutual=_TRUTH, margin=_NUMBER),
    "Models": _object(models=_array(_ref("Model")), version=_TEXT),
    "Translation": _object(word=_TEXT, score=_NUMBER),
    "GlossedTranslation": _object(word=_TEXT, score=_NUMBER, gloss=_TEXT),
    "Translations": _object(
        **_DIRECTION,
        word=_TEXT,
        looked_up=_TEXT,
        translations=_array(_ref("Translation")),
        confidence=_CONFIDENCE,
    ),
    "ManyTranslations": _object(
        **_DIRECTION,
        results=_array(
            _object(
                word=_TEXT,
                looked_up=_maybe("string"),
                translations=_maybe("array", items=_ref("Translation")),
                confidence=_CONFIDENCE,
            )
        ),
    ),
    "Languages": _object(
        model=_TEXT,
        member=_TEXT,
        word=_TEXT,
        languages=_array(_object(member=_TEXT, translations=_maybe("array", items=_ref("Translation")))),
    ),
    "Neighbor": _object(word=_TEXT, cosine=_NUMBER),
    "Neighbors": _object(model=_TEXT, member=_TEXT, word=_TEXT, rounds=_ROUNDS),
    "Point": _object(word=_TEXT, member=_TEXT, before=_array(_NUMBER), after=_array(_NUMBER)),
    "Word": _object(
        **_DIRECTION,
        word=_TEXT,
        looked_up=_TEXT,
        known_in=_array(_TEXT),
        place=_maybe("integer"),
        translations=_array(_ref("GlossedTranslation")),
        confidence=_ref("Confidence"),
        rounds=_ROUNDS,
        glosses=_array(_object(word=_TEXT, gloss=_TEXT)),
        picture=_object(points=_array(_ref("Point")), links=_array(_array(_COUNT))),
    ),
    "Completions": _object(model=_TEXT, prefix=_TEXT, words=_array(_object(word=_TEXT, member=_TEXT, place=_COUNT))),
    "Lexicon": _object(
        **_DIRECTION,
        max_rank=_COUNT,
        total=_COUNT,
        offset=_COUNT,
        pairs=_array(_object(word=_TEXT, translation=_TEXT, score=_NUMBER)),
    ),
    "DriftWord": _object(
        word=_TEXT,
        rank_then=_COUNT,
        rank_now=_COUNT,
        distance=_NUMBER,
        z=_NUMBER,
        q=_NUMBER,
        then=_array(_TEXT),
        now=_array(_TEXT),
    ),
    "Drift": _object(
        home=_TRUTH,
        steps=_array(_object(old=_TEXT, new=_TEXT, words=_COUNT)),
        step=_COUNT,
        measures=_array(_TEXT),
        measure=_COUNT,
        changed=_COUNT,
        total=_COUNT,
        offset=_COUNT,
        words=_array(_ref("DriftWord")),
    ),
    "Error": _object(error=_object(status=_COUNT, message=_TEXT)),
}


def describe_api(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of what is served."""
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _describe(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "isoalign",
            "version": VERSION,
            "description": "Look words up in aligned embedding spaces. Scores are CSLS, neighbours are by cosine.",
        },
        "paths": paths,
        "components": {
            "schemas": _SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _describe(endpoint: Endpoint) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": _ref(endpoint.answer)}}
    if any(parameter.name == "format" for parameter in endpoint.parameters):
        content["text/tab-separated-values"] = {"schema": _TEXT}
    description: dict[str, Any] = {
        "summary": endpoint.about,
        "responses": {
            "200": {"description": "The answer.", "content": content},
            "default": {"description": "An error.", "content": {"application/json": {"schema": _ref("Error")}}},
        },
    }
    if endpoint.method == "POST":
        body = {
            "type": "object",
            "properties": {p.name: {**p.schema(), "description": p.about} for p in endpoint.parameters},
            "required": [p.name for p in endpoint.parameters if p.required],
        }
        description["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    else:
        description["parameters"] = [
            {"name": p.name, "in": "query", "description": p.about, "required": p.required, "schema": p.schema()}
            for p in endpoint.parameters
        ]
    return description
