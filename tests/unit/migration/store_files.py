"""Files of every kind that vectors are stored in, and what they are mapped to."""

import json

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def write_npz(path, X):
    np.savez(path, vectors=X)


def write_compressed(path, X):
    np.savez_compressed(path, vectors=X)


def write_fvecs(path, X):
    np.concatenate([np.full((len(X), 1), X.shape[1], "<i4").view("<f4"), X], axis=1).tofile(path)


def write_fbin(path, X):
    path.write_bytes(np.array(X.shape, "<u4").tobytes() + X.tobytes())


def write_jsonl(path, X):
    path.write_text(
        "".join(json.dumps({"id": f"d{i}", "embedding": row, "n": i}) + "\n" for i, row in enumerate(X.tolist()))
    )


def write_hdf5(path, X):
    with h5py.File(path, "w") as file:
        file["train"] = X
        file["test"] = X[:3]


def table(X, start=0, fixed=True):
    lists = (
        pa.FixedSizeListArray.from_arrays(pa.array(X.ravel()), X.shape[1])
        if fixed
        else pa.array(X.tolist(), pa.list_(pa.float32()))
    )
    return pa.table({"id": [f"d{start + i}" for i in range(len(X))], "vec": lists})


def write_parquet(path, X):
    pq.write_table(table(X), path, row_group_size=3000)


def write_lists(path, X):
    pq.write_table(table(X, fixed=False), path)


def write_parts(path, X):
    path.mkdir()
    for part, start in enumerate(range(0, len(X), 7000)):
        pq.write_table(table(X[start : start + 7000], start), path / f"{part}.parquet", row_group_size=3000)


CASES = {
    "a.npy": (np.save, "b.npy"),
    "a.npz": (write_npz, "b.npy"),
    "c.npz": (write_compressed, "b.npy"),
    "a.fvecs": (write_fvecs, "b.fvecs"),
    "a.fbin": (write_fbin, "b.fbin"),
    "a.jsonl": (write_jsonl, "b.jsonl"),
    "a.hdf5": (write_hdf5, "b.h5"),
    "a.parquet": (write_parquet, "b.parquet"),
    "l.parquet": (write_lists, "b.parquet"),
    "parts": (write_parts, "moved"),
}
