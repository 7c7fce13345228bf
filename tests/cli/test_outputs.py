"""An output that cannot be written is refused before the work: here before the missing input is even noticed."""

import pytest

COMMANDS = {
    "report": ("report", "missing", "-o", "{}/out.html"),
    "plot neighbors": ("plot", "neighbors", "girl", "--source", "missing.vec", "-o", "{}/out.png"),
    "plot convergence": ("plot", "convergence", "missing.vec", "-o", "{}/out.svg"),
    "plot spaces": ("plot", "spaces", "missing", "-d", "missing.txt", "-o", "{}/out.pdf"),
    "normalize --plot": ("normalize", "missing.vec", "vectors.vec", "--plot", "{}/out.svg"),
    "align": ("align", "missing.vec", "missing.vec", "-d", "identical", "-o", "{}/out"),
    "align --export": ("align", "missing.vec", "missing.vec", "-d", "identical", "--export", "{}/out"),
    "induce": ("induce", "missing", "-o", "{}/out.tsv"),
    "evaluate bli": ("evaluate", "bli", "missing", "--lexicon", "missing.txt", "--words", "{}/out.tsv"),
    "compare": ("compare", "missing", "missing", "--words", "{}/out.tsv"),
}


def into(folder, arguments):
    return [argument.format(folder) for argument in arguments]


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_missing_folder_is_noticed_before_the_work(run, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    done = run(*into("nowhere", arguments))
    assert done.code == 3
    assert "there is no folder nowhere. Create it first." in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_an_existing_output_is_noticed_before_the_work(run, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / into(".", arguments)[-1]
    path.write_text("old")
    done = run(*into(".", arguments))
    assert done.code in (2, 3)
    assert "exists already" in done.err or "is a file. Give a folder." in done.err
    assert path.read_text() == "old"


def test_a_demo_is_not_run_where_its_report_could_not_be_kept(run, tmp_path, monkeypatch):
    monkeypatch.setattr("isoalign.reporting.run_demo", None)
    (tmp_path / "report.html").touch()
    assert run("demo", "-o", tmp_path).code == 2
    assert run("demo", "-o", tmp_path / "report.html").code == 3
