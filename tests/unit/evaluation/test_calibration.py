import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.translation import LEVELS, Calibration, Evidence, name_levels, read_calibration

SIZE, DIM = 600, 20


@pytest.fixture(scope="module")
def spaces():
    """A space and its rotation under other words; every third target is noise, so that its word cannot be found."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((SIZE, DIM))
    rotation, _ = np.linalg.qr(rng.standard_normal((DIM, DIM)))
    Y = X @ rotation + 0.05 * rng.standard_normal((SIZE, DIM))
    Y[::3] = rng.standard_normal((len(Y[::3]), DIM))
    source = ia.Embeddings([f"s{i}" for i in range(SIZE)], X.astype(np.float32), lang="en")
    target = ia.Embeddings([f"t{i}" for i in range(SIZE)], Y.astype(np.float32), lang="de")
    return source, target, ia.Lexicon([(f"s{i}", f"t{i}") for i in range(SIZE)])


@pytest.fixture(scope="module")
def calibrated(spaces):
    model = ia.align(*spaces, method="procrustes")
    return model, ia.calibrate(model, spaces[2])


def test_words_that_cannot_be_found_are_doubtful_and_the_others_clear(calibrated):
    _, found = calibrated
    assert [(one.source, one.target) for one in found] == [("en", "de"), ("de", "en")]
    for calibration in found:
        clear, doubtful = calibration.rates["clear"], calibration.rates["doubtful"]
        assert clear.right / clear.n > 0.95
        assert doubtful.right / doubtful.n < 0.2
        assert clear.low <= clear.right / clear.n <= clear.high
        assert sum(rate.n for rate in calibration.rates.values() if rate) == calibration.n == SIZE // 5


def test_evidence_for_a_translation_raises_its_level(calibrated):
    _, (calibration, _) = calibrated
    strong, weak = Evidence(0.6, 0.5, mutual=True), Evidence(-0.3, 0.001, mutual=False)
    assert calibration.judge([strong, weak]) == ["clear", "doubtful"]
    assert calibration.judge([]) == []


def test_the_levels_are_those_of_the_probabilities():
    assert name_levels(np.array([1, 0.75, 0.7499, 0.5, 0.4999, 0])) == [
        *["clear"] * 2,
        *["likely"] * 2,
        *["doubtful"] * 2,
    ]
    assert list(LEVELS) == ["clear", "likely", "doubtful"]


def test_a_kept_model_knows_its_calibration(calibrated, tmp_path):
    model, found = calibrated
    model.save(tmp_path / "model")
    again = ia.Alignment.load(tmp_path / "model")
    assert read_calibration(again.pair()) == found[0] == Calibration.from_dict(found[0].to_dict())
    assert read_calibration(again.pair("de", "en")) == found[1]


def test_a_model_that_was_not_calibrated_says_so(spaces):
    assert read_calibration(ia.align(*spaces, method="procrustes").pair()) is None


def test_the_second_model_must_be_learned_like_the_first(spaces):
    model = ia.align(*spaces, method="procrustes")
    with pytest.raises(ParameterError, match="method is 'procrustes', not 'least_squares'"):
        ia.calibrate(model, spaces[2], method="least_squares")
    with pytest.raises(ParameterError, match="re-ranking is False, not True"):
        ia.calibrate(model, spaces[2], rerank=True)
    assert read_calibration(model.pair()) is None


def test_few_words_are_no_basis(spaces):
    some = spaces[2][:200]
    model = ia.align(*spaces[:2], some, method="procrustes")
    with pytest.raises(InvalidValueError, match="at least 50 held-out words"):
        ia.calibrate(model, some)


def test_a_model_that_is_always_right_has_no_doubtful_word(spaces):
    source = spaces[0]
    copy = ia.Embeddings(spaces[1].index_to_key, source.vectors, lang="de")
    model = ia.align(source, copy, spaces[2], method="procrustes")
    calibration = ia.calibrate(model, spaces[2])[0]
    assert (calibration.rates["clear"].right, calibration.rates["clear"].n) == (120, 120)
    assert calibration.rates["doubtful"] is None
