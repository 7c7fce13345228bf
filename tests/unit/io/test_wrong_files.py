"""Files that are not what they should be are named for what they look like, with what to do about it."""

import io
import shlex
import shutil
import subprocess
import zipfile

import pytest

import isoalign as ia
from isoalign.errors import FileAccessError, FormatError, IsoalignWarning
from isoalign.io._encodings import describe_encoding

PAIRS = [("cat", "猫"), ("dog", "犬"), ("tree", "木")]
TEXT = "".join(f"{a}\t{b}\n" for a, b in PAIRS)


def archive(*members, method=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return packed.getvalue()


@pytest.fixture
def write(tmp_path):
    def write_file(name, content):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write_file


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_refused_by_name_and_read_on_request(write, encoding):
    file = write("d.txt", TEXT.encode(encoding))
    with pytest.raises(FormatError, match=f"looks like UTF-16.*encoding='{encoding}', or convert it: iconv -f UTF-16"):
        ia.read_lexicon(file)
    assert list(ia.read_lexicon(file, encoding=encoding)) == PAIRS


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("cat\tété\ndog\tgarçon à\n", "latin-1"),
        ("cat\t“été”\ndog\tgarçon\n", "cp1252"),
        ("cat\t猫和狗\ndog\t小狗\n", "gb18030"),
        ("cat\t貓和狗\ndog\t體壇\n", "gb18030"),
        ("cat\t猫のひげと東京の町\ndog\t飼い犬と海辺の町並み\n", "gb18030"),
        ("cat\t貓和狗\ndog\t體壇\n", "big5"),
        ("cat\t고양이가 집에서 잠을 잔다\ndog\t개가 강가에서 큰 산을 본다\n", "euc_kr"),
        ("cat\tねこ\ndog\tイヌ\n", "shift_jis"),
        ("cat\tねこ猫\ndog\tイヌ\n", "euc_jp"),
    ],
)
def test_the_encoding_of_lines_that_are_no_utf8_is_guessed(write, text, encoding):
    file = write("d.txt", text.encode(encoding))
    with pytest.warns(IsoalignWarning, match=f"2 lines were not UTF-8.*The file looks like .*encoding='{encoding}'"):
        ia.read_lexicon(file)
    assert ia.read_lexicon(file, encoding=encoding)[0] == tuple(text.split("\n")[0].split("\t"))


@pytest.mark.skipif(shutil.which("iconv") is None, reason="needs iconv")
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (TEXT, "utf-16"),
        (TEXT, "utf-16-le"),
        (TEXT, "utf-16-be"),
        ("cat\tété\n", "latin-1"),
        ("cat\t“été”\ndog\tgarçon\n", "cp1252"),
        ("cat\t猫和狗\n", "gb18030"),
        ("cat\t貓和狗\ndog\t體壇\n", "big5"),
        ("cat\t고양이가 집에서 잠을 잔다\n", "euc_kr"),
        ("cat\tねこ\n", "shift_jis"),
        ("cat\tねこ猫\n", "euc_jp"),
    ],
)
def test_the_suggested_conversion_works(write, text, encoding):
    file = write("d.txt", text.encode(encoding))
    command = describe_encoding(file.read_bytes(), file).partition("convert it: ")[2].partition(" > ")[0]
    assert subprocess.run(shlex.split(command), check=True, capture_output=True).stdout.decode() == text


def test_a_wrong_encoding_is_an_error(write):
    with pytest.raises(FormatError, match="unknown encoding 'utf-9'"):
        ia.read_lexicon(write("d.txt", TEXT.encode()), encoding="utf-9")
    with pytest.raises(FormatError, match="is not text in ascii"):
        ia.read_lexicon(write("d.txt", TEXT.encode()), encoding="ascii")


def test_the_one_file_of_a_zip_archive_is_read(write):
    assert list(ia.read_lexicon(write("d.zip", archive(("d.txt", TEXT), ("__MACOSX/._d.txt", "x"))))) == PAIRS
    assert list(ia.read_lexicon(write("d.zip", archive(("in/d.csv", "cat,猫\n"))))) == [("cat", "猫")]
    vectors = ia.read_vectors(write("v.vec.zip", archive(("v.vec", "2 2\na 1 2\nb 3 4\n"))))
    assert vectors.index_to_key == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (archive(("a.txt", TEXT), ("b.txt", TEXT)), r"zip archive of 2 files \(a.txt, b.txt\). Unpack it"),
        (archive(("xl/workbook.xml", "")), "is an Excel workbook. Save the sheet as CSV"),
        (archive(("a.txt", TEXT), method=zipfile.ZIP_LZMA), "unsupported compression method"),
        (archive(("a.txt", TEXT))[:60], "damaged zip file"),
        (archive(("a.txt", TEXT)).replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1"), "cannot unpack.*password"),
    ],
)
def test_other_archives_are_named_for_what_they_are(write, content, message):
    with pytest.raises(FormatError, match=message):
        ia.read_lexicon(write("d.zip", content))


def test_a_zip_bomb_is_refused(write):
    bomb = archive(("d.txt", (b"x" * 1000 + b" y\n") * 300_000))
    with pytest.raises(FormatError, match=r"unpacks to more than 100 times its size|has more than"):
        ia.read_lexicon(write("d.zip", bomb))


def test_a_zip_archive_with_an_endless_list_of_files_is_refused(write):
    members = [zipfile.ZipInfo(f"{number}.txt") for number in range(70)]
    for member in members:
        member.comment = b"x" * 60_000
    with pytest.raises(FormatError, match=r"list of files has more than 4,194,304 bytes"):
        ia.read_lexicon(write("d.zip", archive(*((member, b"") for member in members))))


def test_a_zip_archive_is_not_written(tmp_path):
    with pytest.raises(FormatError, match="zip archives can be read, but not written"):
        ia.write_lexicon(ia.Lexicon(PAIRS), tmp_path / "d.txt.zip")
    assert not list(tmp_path.iterdir())


def test_a_folder_as_dictionary_names_a_file_inside(write, tmp_path):
    write("en-ja.txt", b"")
    with pytest.raises(FileAccessError, match=r"is a folder. Give a file with word pairs, such as .*en-ja.txt"):
        ia.read_lexicon(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("d.csv", "cat;猫\ndog;犬\n", r"separated by ';'. Put tabs there: tr ';' '\\t' < .*d.csv > tabs.tsv"),
        ("d.txt", "cat|猫\ndog|犬\n", r"separated by '\|'"),
        ("d.txt", "cat,猫\ndog,犬\n", "separated by commas: rename the file to end in .csv"),
        ("d.txt", "the English word\nword\ncat 猫\n", "If the first line is a header, name its columns source and"),
        ("d.txt", "a b\n" * 9 + "alone\n", "remove the line.$"),
    ],
)
def test_a_bad_line_says_what_the_table_looks_like(write, name, content, message):
    with pytest.raises(FormatError, match=message):
        ia.read_lexicon(write(name, content.encode()))


@pytest.mark.parametrize(("name", "header"), [("d.txt", "English\tJapanese"), ("d.csv", "word,translation")])
def test_a_header_that_is_read_as_a_pair_is_reported(write, name, header):
    separator = "," if name.endswith("csv") else "\t"
    file = write(name, f"{header}\ncat{separator}猫\n".encode())
    with pytest.warns(IsoalignWarning, match=r"looks like a header but is read as a word pair. Remove"):
        assert len(ia.read_lexicon(file)) == 2


def test_a_first_pair_of_names_is_no_header(write):
    assert len(ia.read_lexicon(write("d.txt", b"word\tmot\nenglish\tenglish\n"))) == 2


def test_columns_can_be_swapped(write):
    assert list(ia.read_lexicon(write("d.txt", TEXT.encode()), swap=True)) == [(b, a) for a, b in PAIRS]
