import json

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from isoalign.errors import FormatError, InvalidValueError, OutputExistsError, ParameterError, ShapeError
from isoalign.io import StoredTensor, read_model_tensors, write_model_tensors
from isoalign.transfer import transfer_file, transfer_vocabulary
from token_files import old_matrix, planted_model, planted_tokenizers

OLD, NEW = 43, 45


@pytest.fixture(scope="module")
def model():
    return planted_model()


@pytest.fixture
def write(tmp_path):
    def write_tensors(**tensors):
        path = tmp_path / "old.safetensors"
        save_file(tensors, path, metadata={"format": "pt"})
        return path

    return write_tensors


def run(model, path, **options):
    new = path.with_name("new.safetensors")
    return transfer_file(model, *planted_tokenizers(), options.pop("embeddings", path), new, **options), new


def test_every_tensor_with_a_row_per_token_is_made_anew_and_the_rest_is_copied(model, write):
    E, head, bias = old_matrix(OLD), old_matrix(OLD, seed=4), old_matrix(OLD, dim=1)[:, 0]
    rest = {"layer.weight": old_matrix(7), "position_ids": np.arange(9)}
    done, new = run(model, write(**{"wte": E, "lm_head": head, "lm_head.bias": bias}, **rest))
    found, expected = load_file(new), transfer_vocabulary(model, *planted_tokenizers())
    assert done.tensors["wte"] == {"dtype": "F32", "shape": [NEW, 5], "old_shape": [OLD, 5]}
    assert set(done.tensors) == set(done.to_dataframe()["tensor"]) == {"wte", "lm_head", "lm_head.bias"}
    assert not done.tied
    for name, old in (("wte", E), ("lm_head", head), ("lm_head.bias", bias)):
        np.testing.assert_array_equal(found[name], expected.apply(old))
    for name, tensor in rest.items():
        np.testing.assert_array_equal(found[name], tensor)
    with safe_open(new, "numpy") as file:
        assert file.metadata() == {"format": "pt"}


def test_only_the_tensors_named_are_made_anew(model, write):
    path = write(wte=old_matrix(OLD), other=old_matrix(OLD))
    done, new = run(model, path, embeddings=f"{path}:wte")
    assert set(done.tensors) == {"wte"}
    assert load_file(new)["other"].shape == (OLD, 5)
    both, _ = run(model, path, embeddings=[f"{path}:wte", f"{path}:other"], overwrite=True)
    assert set(both.tensors) == {"wte", "other"}


def test_tied_embeddings_stay_tied(model, write):
    done, new = run(model, write(wte=old_matrix(OLD), lm_head=old_matrix(OLD)))
    found = load_file(new)
    assert done.tied
    np.testing.assert_array_equal(found["wte"], found["lm_head"])


@pytest.mark.parametrize("dtype", ["F64", "F32", "F16", "BF16"])
def test_the_type_is_kept(model, tmp_path, dtype):
    path = tmp_path / "old.safetensors"
    old = StoredTensor.from_values(old_matrix(OLD), dtype)
    odd = StoredTensor("F8_E4M3", (3,), np.arange(3, dtype=np.uint8))
    write_model_tensors(path, {"odd": odd, "wte": old}, {})
    _, new = run(model, path)
    found = read_model_tensors(new).tensors
    assert (found["wte"].dtype, found["wte"].shape) == (dtype, (NEW, 5))
    expected = transfer_vocabulary(model, *planted_tokenizers()).apply(old.to_float32())
    precision = {"F64": 0, "F32": 0, "F16": 2**-11, "BF16": 2**-8}[dtype]
    np.testing.assert_allclose(found["wte"].to_float32(), expected, rtol=precision, atol=1e-7)
    assert (found["odd"].dtype, found["odd"].data.tolist()) == ("F8_E4M3", [0, 1, 2])


def test_bfloat16_is_the_nearest_one_ties_to_even():
    every = np.arange(1 << 16, dtype=np.uint16)
    finite = every[(every >> 7) & 0xFF != 0xFF]
    values = StoredTensor("BF16", finite.shape, finite.view(np.uint8)).to_float32()
    np.testing.assert_array_equal(StoredTensor.from_values(values, "BF16").data.view(np.uint16), finite)
    between = np.float32([1, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, -1 - 2**-8])
    rounded = StoredTensor.from_values(between, "BF16").to_float32()
    np.testing.assert_array_equal(rounded, np.float32([1, 1, 1 + 2**-6, 1 + 2**-7, -1]))


def test_padding_is_found_left_out_and_added(model, write):
    padded = np.concatenate([old_matrix(OLD), np.full((5, 5), 99, dtype=np.float32)])
    done, new = run(model, write(wte=padded, mlp=old_matrix(5000)), pad_to=16)
    assert (list(done.tensors), done.padding) == (["wte"], 5)
    found = load_file(new)["wte"]
    assert found.shape == (48, 5)
    assert np.abs(found).max() < 20
    np.testing.assert_array_equal(
        found[:NEW], transfer_vocabulary(model, *planted_tokenizers()).apply(old_matrix(OLD), pad_to=16)[:NEW]
    )


@pytest.mark.parametrize(
    ("tensors", "name", "error", "message"),
    [
        ({"wte": OLD}, ":wt", ParameterError, r"has no tensor 'wt'. Did you mean 'wte'\? Its tensors: wte \[43, 5\]"),
        ({"wte": 30}, "", ShapeError, r"no tensor has a row for each of the 43 tokens .* Its tensors: wte \[30, 5\]"),
        ({"wte": 30}, ":wte", ShapeError, r"wte has shape \(30, 5\), but the source tokenizer has 43 tokens"),
    ],
    ids=["no-such-tensor", "none-fits", "too-few-rows"],
)
def test_tensors_that_do_not_fit_are_refused_with_those_that_there_are(model, write, tensors, name, error, message):
    path = write(**{tensor: old_matrix(rows) for tensor, rows in tensors.items()})
    with pytest.raises(error, match=message):
        run(model, path, embeddings=f"{path}{name}")
    assert not path.with_name("new.safetensors").exists()


def test_whole_numbers_are_no_embeddings(model, write):
    path = write(wte=np.zeros((OLD, 5), dtype=np.int8))
    with pytest.raises(FormatError, match=r"wte has type I8. Embeddings must be F64, F32, F16, BF16"):
        run(model, path, embeddings=f"{path}:wte")


def test_an_output_that_exists_is_refused_before_any_work(model, write):
    path = write(wte=old_matrix(OLD))
    path.with_name("new.safetensors").write_bytes(b"mine")
    with pytest.raises(OutputExistsError, match="exists already"):
        run(model, path)
    assert path.with_name("new.safetensors").read_bytes() == b"mine"


def test_the_input_may_be_replaced_by_the_output(model, write):
    path = write(wte=old_matrix(OLD))
    transfer_file(model, *planted_tokenizers(), path, path, overwrite=True)
    assert load_file(path)["wte"].shape == (NEW, 5)


def test_embeddings_of_two_files_are_refused(model, write, tmp_path):
    path = write(wte=old_matrix(OLD))
    with pytest.raises(ParameterError, match="must come from one file"):
        run(model, path, embeddings=[path, tmp_path / "other.safetensors"])


def test_values_beyond_the_type_are_refused():
    with pytest.raises(InvalidValueError, match="within the range of F16"):
        StoredTensor.from_values(np.float32([1e6]), "F16")


@pytest.mark.parametrize(
    "header",
    [
        {"__metadata__": [], "a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F4", "shape": [1], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}},
        {"a": 3},
    ],
    ids=["metadata", "type", "shape", "cut", "no-entry"],
)
def test_damaged_headers_are_refused(tmp_path, header):
    text = json.dumps(header).encode()
    (tmp_path / "x").write_bytes(len(text).to_bytes(8, "little") + text + bytes(4))
    with pytest.raises(FormatError, match=r"damaged|wrongly|fit"):
        read_model_tensors(tmp_path / "x")
