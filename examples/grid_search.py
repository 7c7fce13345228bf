"""Choose the normaliser and the map with scikit-learn's GridSearchCV, with no source word on both sides of a split.

python examples/grid_search.py
"""

from sklearn.model_selection import GridSearchCV, GroupKFold

import isoalign as ia


def main() -> None:
    """Search on the training dictionary of the embedded sample."""
    sample = ia.load_sample()
    pairs = sample.train.row_pairs(sample.source, sample.target)[:2000]
    search = GridSearchCV(
        ia.Aligner(),
        {
            "normalizer": [ia.Unit(), ia.CenterLength(), ia.IterNorm()],
            "mapper": [ia.LeastSquares(ridge=1.0), ia.Procrustes(), ia.VecMap()],
        },
        cv=GroupKFold(4),
    )
    search.fit(sample.source.vectors[pairs[:, 0]], sample.target.vectors[pairs[:, 1]], groups=pairs[:, 0])
    columns = ("params", "mean_test_score", "std_test_score")
    for params, mean, spread in zip(*(search.cv_results_[column] for column in columns), strict=True):
        print(f"{mean:.3f} ± {spread:.3f}  {params['normalizer']!r:16} {params['mapper']!r}")
    print("best:", search.best_params_)


if __name__ == "__main__":
    main()
