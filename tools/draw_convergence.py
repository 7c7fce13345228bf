"""Draw ``docs/figures/convergence.svg``: the rounds of iterative normalisation on the sample's two languages."""

from pathlib import Path

import isoalign as ia
from isoalign.reporting import plot_convergence, save_figure

FIGURE = Path(__file__).parent.parent / "docs" / "figures" / "convergence.svg"


def main() -> None:
    """Fit both languages of the sample and write the figure."""
    sample = ia.load_sample()
    fitted = {
        name: ia.IterNorm(tol=1e-6).fit(embeddings.vectors)
        for name, embeddings in (("English", sample.source), ("Japanese", sample.target))
    }
    save_figure(plot_convergence(fitted), FIGURE)


if __name__ == "__main__":
    main()
