"""The commands of ``isoalign migrate`` on files."""

import json

import numpy as np
import pytest

import isoalign as ia
from migrations import planted_change, unit


@pytest.fixture
def files(tmp_path):
    """Write an old model that is a noisy rotation of the new one, and queries whose document has the same number."""
    rng = np.random.default_rng(1)
    documents = rng.standard_normal((900, 16)) + 0.5
    asked = documents[:100] + 0.3 * rng.standard_normal((100, 16))
    turned = np.linalg.qr(rng.standard_normal((16, 16)))[0]
    for name, X in (("docs", documents), ("queries", asked)):
        np.save(tmp_path / f"new.{name}.npy", unit(X))
        np.save(tmp_path / f"old.{name}.npy", unit(X @ turned + rng.standard_normal(X.shape)))
    (tmp_path / "relevant.tsv").write_text("".join(f"{i}\t{i}\n" for i in range(100)))
    return tmp_path


def judged(folder):
    return [
        "--old-queries",
        folder / "old.queries.npy",
        "--new-queries",
        folder / "new.queries.npy",
        "--relevant",
        folder / "relevant.tsv",
    ]


def test_plan_fit_evaluate_and_apply_work_together(run, files):
    models = files / "old.docs.npy", files / "new.docs.npy"
    plan = run("migrate", "plan", *models, *judged(files), "--method", "ridge", "--json")
    assert plan.code == 0, plan.err
    found = json.loads(plan.out)
    assert (found["schema"], found["verdict"]) == ("isoalign/migrate-plan/1", "migrate")
    assert set(found["directions"]) == {"corpus", "queries"}
    fitted = run(
        "migrate", "fit", *models, "--use", "corpus", "-m", "ridge", "-o", files / "adapter", "--old-name", "a"
    )
    assert fitted.code == 0, fitted.err
    assert "nearest neighbours of 900 held-out items are kept" in fitted.out
    assert ia.Adapter.load(files / "adapter").record_["source"]["name"] == "a"
    scores = run("migrate", "evaluate", files / "adapter", *models, *judged(files))
    assert scores.out.startswith("migrate\n  mapped corpus: R@10")
    assert "nDCG@10" in scores.out
    assert "worst cluster" in scores.out
    applied = run("migrate", "apply", files / "adapter", models[0], "-o", files / "mapped.npy")
    assert applied.code == 0, applied.err
    expected = ia.Adapter.load(files / "adapter").transform(np.load(models[0]))
    np.testing.assert_allclose(np.load(files / "mapped.npy"), expected, atol=1e-6)
    again = run("migrate", "apply", files / "adapter", models[0], "-o", files / "mapped.npy")
    assert again.code == 2
    assert "exists already" in again.err


def test_the_plan_in_words_begins_with_the_verdict(run, files):
    backwards = files / "new.docs.npy", files / "old.docs.npy"
    queries = ["--old-queries", files / "new.queries.npy", "--new-queries", files / "old.queries.npy"]
    plan = run("migrate", "plan", *backwards, *queries, "--relevant", files / "relevant.tsv", "-m", "ridge", "-n", 5000)
    assert plan.out.startswith("do not migrate: you would be worse off than today\n")
    assert "More pairs would" in plan.out
    assert "5,000 vectors: about" in plan.out


def test_a_mismatch_is_bad_input_and_float16_is_noted(run, files):
    models = files / "old.docs.npy", files / "new.docs.npy"
    run("migrate", "fit", *models, "--use", "corpus", "-m", "procrustes", "-o", files / "adapter")
    np.save(files / "other.npy", -np.load(models[0]))
    refused = run("migrate", "apply", files / "adapter", files / "other.npy", "-o", files / "out.npy")
    assert refused.code == 3
    assert "--allow-mismatch" in refused.err
    np.save(files / "half.npy", np.load(models[0]).astype(np.float16))
    half = run("migrate", "apply", files / "adapter", files / "half.npy", "-o", files / "out.npy")
    assert "float16 was widened to float32" in half.err


def test_word_vectors_and_json_lines_are_joined_by_id(run, tmp_path):
    old, new = planted_change(200)
    order = np.random.default_rng(0).permutation(200)
    words = [f"w{i}" for i in range(200)]
    ia.write_vectors(ia.Embeddings(words, old), tmp_path / "old.vec")
    lines = [json.dumps({"id": words[i], "embedding": new[i].tolist()}) for i in order]
    (tmp_path / "new.jsonl").write_text("\n".join(lines))
    fitted = run(
        "migrate", "fit", tmp_path / "old.vec", tmp_path / "new.jsonl", "-o", tmp_path / "a", "-m", "adjoint", "--json"
    )
    assert fitted.code == 0, fitted.err
    assert json.loads(fitted.out)["held_out"]["identity_p1"] > 0.5


@pytest.mark.slow
def test_a_map_that_is_not_found_without_pairs_is_not_written(run, tmp_path):
    rng = np.random.default_rng(0)
    for name in ("old", "new"):
        np.save(tmp_path / f"{name}.npy", unit(rng.standard_normal((300, 8))))
    models = tmp_path / "old.npy", tmp_path / "new.npy"
    settings = ["--set", "n_rounds=1", "--set", "n_clusters=6", "--set", "n_refine=5"]
    failed = run("migrate", "fit", *models, "--unpaired", "-o", tmp_path / "adapter", *settings)
    assert failed.code == 1
    assert "Do not use this map" in failed.err
    assert "Nothing was written" in failed.err
    assert not (tmp_path / "adapter").exists()
    queries = ["--old-queries", models[0], "--new-queries", models[1]]
    refused = run("migrate", "fit", *models, "--unpaired", "-o", tmp_path / "adapter", *queries)
    assert "without --unpaired" in refused.err


def test_wrong_usage_is_said(run, files):
    models = files / "old.docs.npy", files / "new.docs.npy"
    assert "together" in run("migrate", "plan", *models, "--old-queries", models[0]).err
    run("migrate", "fit", *models, "-m", "procrustes", "-o", files / "adapter")
    assert "ADAPTER BIG -o OUT" in run("migrate", "apply", files / "adapter").err
    assert "--from takes" in run("migrate", "apply", files / "adapter", "--from", "sqlite:///x").err
    assert "use must be one of" in run("migrate", "fit", *models, "--use", "both", "-o", files / "b").err


def test_the_report_begins_with_the_verdict(run, files):
    models = files / "old.docs.npy", files / "new.docs.npy"
    made = run("migrate", "report", *models, *judged(files), "-m", "ridge", "-o", files / "report.html")
    assert made.code == 0, made.err
    assert made.out.startswith("migrate\n")
    page = (files / "report.html").read_text()
    text = page[page.index("<body>") :]
    assert text.startswith("<body><header><h1>Migrate</h1>")
    for part in ("old → old", "new → new", "More pairs would", "Worst case", "kept@10"):
        assert part in text
