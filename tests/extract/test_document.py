from __future__ import annotations

import json

from scrubjay.extract.document import extract
from scrubjay.types import Document, SkipReason


def test_document_keeps_language_encoding_and_text() -> None:
    assert extract(b"\xef\xbb\xbfx = 1\r\n", b"a.py", "python") == Document(
        "x = 1\r\n", "python", "utf-8"
    )


def test_reason_comes_back_where_there_is_no_text() -> None:
    assert extract(b"", b"a.py", "python") is SkipReason.EMPTY
    assert extract(b" \n", b"a.py", "python") is SkipReason.BLANK
    assert extract(b"\0" * 9, b"a.py", "python") is SkipReason.BINARY


def test_notebook_speaks_its_kernels_language() -> None:
    cells = [{"cell_type": "code", "source": "x <- 1"}]
    data = json.dumps({"cells": cells, "metadata": {"kernelspec": {"language": "R"}}}).encode()
    document = extract(data, b"d/A.IPYNB", "jupyter")
    assert isinstance(document, Document)
    assert document.language == "r"
    assert document.text == "# %%\nx <- 1\n\n"


def test_broken_notebook_is_kept_as_json_without_base64() -> None:
    data = b'<<<<<<< ours\n{"cells": [{"image/png": "' + b"QUJD" * 100 + b'"}, "word"]'
    document = extract(data, b"a.ipynb", "jupyter")
    assert isinstance(document, Document)
    assert document.language == "json"
    assert "word" in document.text
    assert "QUJDQUJD" not in document.text


def test_notebook_without_sources_is_blank() -> None:
    data = b'{"cells": [{"cell_type": "code", "source": []}], "metadata": {}}'
    assert extract(data, b"a.ipynb", "jupyter") is SkipReason.BLANK
