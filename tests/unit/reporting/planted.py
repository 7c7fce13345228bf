"""Records of an experiment that never ran, with known values."""

from isoalign.experiments import Cell, Record, load_sweep

LANGUAGES = load_sweep("iternorm-acl2019").targets
NORMALIZATIONS = ("none", "center_length", "iternorm")


def of_paper(target=None, **names):
    """The origin of a record of the paper's experiment."""
    names = {"source": "wiki.en.vec"} | names
    if target is not None:
        names |= {"target": f"wiki.{target}.vec"}
        names |= {"train": f"en-{target}.0-5000.txt", "test": f"en-{target}.5000-6500.txt"}
    data = {role: {"name": name, "sha256": "0"} for role, name in names.items()}
    return {"data": data, "reading": {"limit": 200_000, "lower": True, "statistics": "rows"}}


def accuracy(target, method, normalize, right, *, n=1000, best_on_test=None, provenance=None, retrieval="csls", seed=0):
    """A record of ``n`` words, of which the first ``right`` are answered rightly."""
    share = right / n
    values = {
        "precision": {"1": share, "5": share, "10": share},
        "ci95": {k: [share - 0.03, share + 0.03] for k in ("1", "5", "10")},
        "n": n,
        "coverage": 1.0,
        "chosen": {"n_iter": 1} if method == "refine" else None,
        "best_on_test": best_on_test,
        "words": [f"w{number}" for number in range(n)],
        "ranks": [1] * right + [2] * (n - right),
    }
    cell = Cell("bli", "en", target, normalize, method=method, retrieval=retrieval, seed=seed)
    return Record(
        f"{target}{method}{normalize}{retrieval}{seed}",
        cell,
        values,
        of_paper(target) if provenance is None else provenance,
        1.0,
    )


def conditions(target, normalize, means):
    sides = [{"mean_norm": mean, "min_length": 1.0, "max_length": 2.0} for mean in means]
    cell = Cell("conditions", "en", target, normalize)
    return Record(f"{target}{normalize}", cell, dict(zip(("source", "target"), sides, strict=True)))


def similarity(dataset, normalize, spearman):
    values = {"spearman": spearman, "ci95": [spearman - 0.1, spearman + 0.1], "pearson": 0.5, "n": 300, "coverage": 0.9}
    cell = Cell("similarity", "en", None, normalize, dataset=dataset)
    return Record(f"{dataset}{normalize}", cell, values, of_paper(similarity="EN-WS-353-ALL.txt"))


def one_pair():
    """English to Japanese as on the sample: no published value belongs beside it."""
    about = {"data": {"source": {"name": "sample:en"}}}
    right = {"procrustes": (548, 575, 572), "rcsls": (554, 589, 591)}
    return [
        accuracy("ja", method, name, count, provenance=about)
        for method, counts in right.items()
        for name, count in zip(NORMALIZATIONS, counts, strict=True)
    ] + [
        conditions("ja", name, means)
        for name, means in zip(NORMALIZATIONS, ((16, 1.3), (0.03, 0.02), (2e-6, 0)), strict=True)
    ]


def two_pairs():
    """Japanese and Chinese with published values around them."""
    right = {("ja", "procrustes"): (17, 131, 443), ("zh", "procrustes"): (325, 423, 460)}
    right |= {("ja", "refine"): (10, 131, 443), ("zh", "refine"): (330, 420, 470)}
    return [
        accuracy(target, method, name, count, best_on_test=(count + 7) / 1000 if method == "refine" else None)
        for (target, method), counts in right.items()
        for name, count in zip(NORMALIZATIONS, counts, strict=True)
    ] + [conditions(target, name, (0.2, 0.1)) for target in ("ja", "zh") for name in NORMALIZATIONS]


def all_pairs():
    """The paper's grid: 39 languages, three methods, three normalisations, and four similarity sets."""
    found = []
    for number, target in enumerate(LANGUAGES):
        for method, more in (("procrustes", 0), ("refine", 20), ("rcsls", 60)):
            for step, name in enumerate(NORMALIZATIONS):
                right = 100 + 15 * number + more + 40 * step
                best = (right + 7) / 1500 if method == "refine" else None
                about = of_paper(target) | {
                    "isoalign": "1.0",
                    "date": f"2026-01-{1 + number % 9:02}T00:00:00",
                    "cell": right,
                }
                found.append(accuracy(target, method, name, right, n=1500, best_on_test=best, provenance=about))
        found += [conditions(target, name, (0.2 / 10**i, 0.01 * number)) for i, name in enumerate(NORMALIZATIONS)]
    return found + [similarity(dataset, name, 0.7) for dataset in ("ws353", "mc30") for name in NORMALIZATIONS]
