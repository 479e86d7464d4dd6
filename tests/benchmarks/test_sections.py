import gzip
import io
import tarfile

import packages
import sections
from packages import Package

BODY = "Call the method that the class has for it, and look at what it returns. " * 4

MARKDOWN = """# Guide

## Wait for a job to end

{body}

```sh
# Wait for nothing at all
```

## Stop a job before it starts

{body}
""".replace(
    "{body}", "Call the method that the class has for it, and look at what it returns. " * 4
)

PAGE = """.TH OPEN 3
.SH NAME
open_live \\- open a device for capturing
.SH SYNOPSIS
{body}
""".replace("{body}", "int open_live(const char *device, int length);\n" * 8)


def build(tmp_path, monkeypatch, files, language):
    monkeypatch.setattr(packages, "ARCHIVES", tmp_path / "archives")
    listed = Package(language, "npm", "tool", "1")
    listed.folder().mkdir(parents=True)
    with tarfile.open(listed.folder() / "tool-1.tgz", "w:gz") as archive:
        for path, data in files.items():
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return sections.questions_from([listed], language, tmp_path / "tree", 10)


def test_title_is_cut_and_its_section_answers(tmp_path, monkeypatch):
    pool, records = build(tmp_path, monkeypatch, {"guide.md": MARKDOWN.encode()}, "en")
    text = (tmp_path / "tree" / "tool" / "guide.md").read_text("utf-8")
    assert pool == 3
    assert {record["query"] for record in records} == {
        "Wait for a job to end",
        "Stop a job before it starts",
    }
    assert "Wait for a job" not in text
    for record in records:
        path, first, last = record["spans"][0]
        section = text.splitlines()[first - 1 : last]
        assert path == "tool/guide.md"
        assert any(line.startswith("Call the method") for line in section)
        assert not any(line.startswith("# Guide") for line in section)


def test_title_that_is_said_elsewhere_is_no_question(tmp_path, monkeypatch):
    text = f"{MARKDOWN}\nSee also: wait for a job to end.\n"
    _, records = build(tmp_path, monkeypatch, {"guide.md": text.encode()}, "en")
    assert [record["query"] for record in records] == ["Stop a job before it starts"]


def test_manual_page_is_asked_for_by_its_name_line(tmp_path, monkeypatch):
    files = {"usr/share/man/man3/open_live.3.gz": gzip.compress(PAGE.encode())}
    _, records = build(tmp_path, monkeypatch, files, "man")
    text = (tmp_path / "tree" / "tool" / "man3" / "open_live.3.man").read_text("utf-8")
    assert records[0]["query"] == "open a device for capturing"
    assert "open a device" not in text
    assert "SYNOPSIS" in text
