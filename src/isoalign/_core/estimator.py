"""The part of scikit-learn's estimator contract that isoalign follows, without importing scikit-learn."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from isoalign._core.validate import suggest
from isoalign.errors import NotFittedError, ParameterError

__all__ = ["AbstractEstimator"]


class AbstractEstimator:
    """Give a class ``get_params``, ``set_params``, a repr and scikit-learn's tags.

    The constructor of a subclass stores its arguments under their own names and does nothing else. Learned
    attributes end in an underscore.
    """

    _estimator_type_: ClassVar[str | None] = None

    @classmethod
    def _param_names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the settings by name; with ``deep``, those of nested estimators as ``name__setting``."""
        params: dict[str, Any] = {}
        for name in self._param_names():
            value = params[name] = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                params |= {f"{name}__{key}": inner for key, inner in value.get_params().items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Change settings by name and return ``self``; unknown names are errors."""
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in self._param_names():
                listed = ", ".join(self._param_names()) or "none"
                raise ParameterError(
                    f"{type(self).__name__} has no setting {name!r}. It has: {listed}."
                    f"{suggest(name, self._param_names())}"
                )
            if inner:
                nested = getattr(self, name)
                if not hasattr(nested, "set_params"):
                    raise ParameterError(f"{name} is {nested!r}, which has no settings. Set {name} itself first.")
                nested.set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def unfitted_copy(self) -> Self:
        """Return a new estimator with the same settings, including copies of nested estimators."""
        params = self.get_params(deep=False)
        return type(self)(
            **{name: getattr(value, "unfitted_copy", lambda v=value: v)() for name, value in params.items()}
        )

    def check_fitted(self) -> None:
        """Raise an error if called before ``fit``."""
        if not self._learned_names():
            name = type(self).__name__
            raise NotFittedError(f"This {name} is not fitted. Call fit first.")

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Remove learned attributes before the block and, if it fails, those set within it."""
        self._forget()
        try:
            yield
        except BaseException:
            self._forget()
            raise

    def _forget(self) -> None:
        for name in self._learned_names():
            delattr(self, name)

    def _learned_names(self) -> list[str]:
        return [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = [
            f"{name}={getattr(self, name)!r}" for name in defaults if getattr(self, name) != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=self._estimator_type_,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(preserves_dtype=["float32"]),
        )
