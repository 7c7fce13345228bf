"""Sizes of a pair of languages, from which an aligner says what a fit costs before it is run."""

from dataclasses import dataclass, replace

from isoalign.neighbors.engine import BEST_ONLY, LazySettings, choose_engine

__all__ = ["Sizes"]

# Means that a lazy search computes for the 1 and the 10 best answers to each of 1,500 questions, from its time relative
# to the full computation (benchmarks/results/evaluate.json), and how they grow with the questions (search.json).
_MEANS_OF_BEST, _MEANS_OF_TEN = 5.4, 22.0
_MEASURED_QUESTIONS = 1_500
_LAZY_GROWTH = 0.74


@dataclass(frozen=True)
class Sizes:
    """How large a learning problem and its test are.

    Attributes
    ----------
    n, m
        Words of the source and of the target side.
    dim
        Columns.
    train, test
        Distinct source words and distinct target words of the dictionaries.
    """

    n: int
    m: int
    dim: int
    train: tuple[int, int]
    test: tuple[int, int] = (0, 0)

    @property
    def product(self) -> float:
        """Operations of comparing all words of both sides, as CSLS means and a round of refinement need."""
        return 2.0 * self.n * self.m * self.dim

    @property
    def questions(self) -> float:
        """Operations of comparing the test words with all targets."""
        return 2.0 * self.test[0] * self.m * self.dim

    def csls(self, best: int) -> float:
        """Return the operations of ranking the test words by CSLS.

        A lazy search bounds all means by those to a few thousand words, and computes some of them.

        Parameters
        ----------
        best
            Number of answers to each question.
        """
        settings = BEST_ONLY if best == 1 else LazySettings()
        if choose_engine("auto", self.m, self.test[0], settings=settings) == "full":
            return self.questions + self.product
        sampled = min(settings.sample_share * self.m, settings.most_sampled)
        hubs = min(settings.hub_share * self.n, settings.most_hubs)
        bounds = (sampled + self.lazy_means(best) + self.n**0.5) * self.n + hubs * self.m
        return self.questions + min(float(2 * self.dim * bounds), self.product)

    def lazy_means(self, best: int) -> float:
        """Estimate the number of means that a lazy search computes for `best` answers to each question."""
        measured = (_MEANS_OF_BEST if best == 1 else _MEANS_OF_TEN) * _MEASURED_QUESTIONS
        return float(measured * (self.test[0] / _MEASURED_QUESTIONS) ** _LAZY_GROWTH)

    @property
    def descent(self) -> float:
        """Operations of comparing the training words of each side with all words of the other."""
        return 2.0 * self.dim * (self.train[0] * self.m + self.train[1] * self.n)

    def with_share(self, share: float) -> "Sizes":
        """Return the sizes when only a share of the training words is learned from."""
        return replace(self, train=(round(share * self.train[0]), round(share * self.train[1])))
