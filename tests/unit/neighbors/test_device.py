"""Where searches are computed: said once, for a block."""

import sys

import numpy as np
import pytest

from isoalign.errors import MissingExtraError, ParameterError
from isoalign.neighbors import top_k, use_device
from isoalign.neighbors.engine import CpuBackend, current_backend, use_backend


class CountingBackend(CpuBackend):
    def __init__(self):
        self.calls = 0

    def top_rows(self, *arguments, **options):
        self.calls += 1
        return super().top_rows(*arguments, **options)


def test_a_backend_computes_inside_its_block_only():
    backend = CountingBackend()
    with use_backend(backend):
        top_k(np.eye(3), np.eye(3), 1)
    top_k(np.eye(3), np.eye(3), 1)
    assert backend.calls == 1


def test_an_error_inside_the_block_gives_the_backend_before_back():
    before = current_backend()
    with pytest.raises(ZeroDivisionError), use_device("cpu"):
        1 / int(current_backend() is before)
    assert current_backend() is before


def test_a_device_without_pytorch_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"needs torch.*\[torch\]"), use_device("cuda"):
        pass


@pytest.mark.parametrize("device", ["CPU", "Cpu"])
def test_the_cpu_is_the_cpu_in_any_case(device):
    with use_device(device):
        assert type(current_backend()) is CpuBackend


@pytest.mark.parametrize("device", [None, 3, "", "gpu", "cuda:x", "cuda:", ":1", "cuda 1", "torch:", "cuda:1:2"])
def test_what_cannot_be_a_device_is_refused_before_pytorch_is_needed(monkeypatch, device):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ParameterError, match=rf"^device must be cpu or .* Got {device!r}\.$"), use_device(device):
        pass


@pytest.mark.parametrize("device", ["CUDA:1", "mps", "xpu:0", "torch:cpu"])
def test_devices_of_pytorch_need_pytorch(monkeypatch, device):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match="needs torch"), use_device(device):
        pass
