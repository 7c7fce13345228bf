"""The results file: complete lines only, no key twice, whatever happened before."""

import errno
import json
import os

import pytest

from isoalign.errors import FileAccessError, FormatError, MissingFileError
from isoalign.experiments import Cell, Record, Store, load_records
from isoalign.reporting import build_report, format_records
from unit.reporting import planted

CELL = Cell("other", "en", "ja", "none", "procrustes", "csls")


def record(number: int, **values: object) -> Record:
    return Record(f"key{number}", Cell("other", "en", "ja", "none", "procrustes", "csls", seed=number), {"語": number})


def test_records_come_back_in_order(tmp_path):
    with Store(tmp_path / "r") as store:
        assert [store.append(record(number)) for number in range(3)] == [True, True, True]
    assert load_records(tmp_path / "r") == [record(number) for number in range(3)]


def test_a_key_is_written_once(tmp_path):
    with Store(tmp_path) as store:
        store.append(record(1))
        assert not store.append(record(1))
    with Store(tmp_path) as store:
        assert not store.append(record(1))
    assert len(load_records(tmp_path)) == 1


def test_a_line_cut_off_at_any_byte_is_ignored_and_removed(tmp_path):
    with Store(tmp_path) as store:
        store.append(record(1))
        whole = store.path.read_bytes()
    for length in range(len(whole)):
        store.path.write_bytes(whole + whole[:length])
        assert load_records(tmp_path) == [record(1)]
        with Store(tmp_path) as again:
            again.append(record(2))
        assert load_records(tmp_path) == [record(1), record(2)]


def test_of_two_records_of_a_cell_the_later_is_loaded(tmp_path):
    with Store(tmp_path) as store:
        store.append(Record("old", CELL, {"n": 1}))
        store.append(Record("new", CELL, {"n": 2}))
    assert [found.key for found in load_records(tmp_path)] == ["new"]


def test_a_damaged_line_is_named(tmp_path):
    with Store(tmp_path) as store:
        store.append(record(1))
    store.path.write_bytes(store.path.read_bytes() + b"{}\n")
    with pytest.raises(FormatError, match=r"records.jsonl:2: not a record"):
        load_records(tmp_path)


def test_a_disk_that_takes_no_more_is_an_error_that_names_the_file(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with Store(tmp_path) as store:
        monkeypatch.setattr(os, "write", refuse)
        with pytest.raises(FileAccessError, match=r"records.jsonl: cannot write: No space left on device"):
            store.append(record(1))
    assert load_records(tmp_path) == []


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(FileAccessError, match="contains other files"), Store(tmp_path):
        pass


def test_a_folder_without_results_is_named(tmp_path):
    with pytest.raises(MissingFileError, match="isoalign sweep"):
        load_records(tmp_path)


def planted_records():
    """One record of every kind, as a sweep writes them."""
    return [
        *planted.one_pair()[:1],
        planted.conditions("ja", "none", (0.1, 0.2)),
        planted.similarity("men", "none", 0.5),
    ]


def fields_of(data, prefix=()):
    """Yield the path of every field of a record that reports need."""
    for key, value in data.items():
        yield (*prefix, key)
        if isinstance(value, dict) and key not in ("provenance", "chosen", "5", "10"):
            yield from fields_of(value, (*prefix, key))


@pytest.mark.parametrize("damage", [[], {}, "x", "1979-05-27", 10**400, True, [[[]]]], ids=repr)
@pytest.mark.parametrize("number", range(3), ids=["bli", "conditions", "similarity"])
def test_a_damaged_record_is_an_error_of_one_line_or_can_be_reported(tmp_path, number, damage):
    whole = planted_records()[number].to_dict()
    for path in fields_of(whole):
        record = json.loads(json.dumps(whole))
        *parents, last = path
        place = record
        for parent in parents:
            place = place[parent]
        place[last] = damage
        (tmp_path / "records.jsonl").write_text(json.dumps(record) + "\n")
        try:
            records, refusal = load_records(tmp_path), None
        except FormatError as error:
            records, refusal = [], str(error)
        if refusal is None:
            assert format_records(records, "markdown") is not None
            assert damage != {} or "damaged" in build_report(records, title="damaged")  # slow, so for one damage only
        else:
            assert "records.jsonl:1: not a record" in refusal
            assert "\n" not in refusal


@pytest.mark.parametrize("number", range(3), ids=["bli", "conditions", "similarity"])
def test_a_record_without_one_of_its_values_is_refused(tmp_path, number):
    whole = planted_records()[number].to_dict()
    for name in set(whole["values"]) - {"chosen", "best_on_test", "rounds", "pearson"}:
        record = {**whole, "values": {key: value for key, value in whole["values"].items() if key != name}}
        (tmp_path / "records.jsonl").write_text(json.dumps(record) + "\n")
        with pytest.raises(FormatError, match=rf"records.jsonl:1: not a record \(values.{name} is missing"):
            load_records(tmp_path)


def test_a_record_nested_too_deeply_is_refused(tmp_path):
    (tmp_path / "records.jsonl").write_text("[" * 100_000 + "\n")
    with pytest.raises(FormatError, match="not a record"):
        load_records(tmp_path)
