"""Does normalisation help here? Compare normalisations on the same test words, with intervals.

python examples/compare_normalizations.py
"""

import isoalign as ia


def main() -> None:
    """Align the embedded sample under three normalisations and compare each with none."""
    sample = ia.load_sample()
    results = {}
    for normalize in ("none", "center_length", "iternorm"):
        model = ia.align(sample.source, sample.target, sample.train, normalize=normalize)
        results[normalize] = ia.evaluate_bli(model, sample.test, ks=(1,))
        print(f"{normalize:14}", results[normalize])
    for normalize in ("center_length", "iternorm"):
        difference = ia.compare(results[normalize], results["none"]).difference[1]
        print(f"{normalize:14} minus none: {difference} points of P@1, McNemar p = {difference.p_mcnemar:.3f}")
    difference = ia.compare(results["iternorm"], results["center_length"]).difference[1]
    print(f"iternorm minus center_length: {difference} points of P@1")


if __name__ == "__main__":
    main()
