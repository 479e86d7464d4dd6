from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.extract.notebook import drop_inline_data, read_notebook

IMAGE = "iVBORw0KGgo" * 400


def make_notebook(*cells: dict[str, object], language: str = "python") -> str:
    metadata = {"kernelspec": {"language": language, "name": "k"}}
    return json.dumps({"nbformat": 4, "metadata": metadata, "cells": cells})


def code(source: object, outputs: object = ()) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "outputs": outputs, "execution_count": 3}


def prose(source: object) -> dict[str, object]:
    attachments = {"a.png": {"image/png": IMAGE}}
    return {"cell_type": "markdown", "source": source, "attachments": attachments}


def test_cells_become_percent_format_that_parses() -> None:
    source = ["%matplotlib inline\n", "!ls\n", "def f(x):\n", "    return x\n"]
    notebook = read_notebook(make_notebook(prose("# About\n\ntext"), code(source), code("f(1)")))
    assert notebook is not None
    assert notebook.language == "python"
    assert notebook.text == (
        "# %% [markdown]\n# # About\n#\n# text\n\n"
        "# %%\n# %matplotlib inline\n# !ls\ndef f(x):\n    return x\n\n"
        "# %%\nf(1)\n\n"
    )
    assert len(ast.parse(notebook.text).body) == 2


def test_change_of_outputs_alone_gives_the_same_text() -> None:
    shown = [{"data": {"image/png": IMAGE}}, {"text": ["out\n"] * 500}]
    before = read_notebook(make_notebook(code("x = 1")))
    after = read_notebook(make_notebook(code("x = 1", shown)))
    assert before == after
    assert after is not None
    assert "iVBOR" not in after.text
    assert "out" not in after.text


def test_inline_images_are_cut_out_of_sources() -> None:
    notebook = read_notebook(make_notebook(prose(f"![x](data:image/png;base64,{IMAGE}) end")))
    assert notebook is not None
    assert "iVBOR" not in notebook.text
    assert "end" in notebook.text


def test_cell_magic_comments_out_its_cell() -> None:
    notebook = read_notebook(make_notebook(code("%%bash\nls -l\n")))
    assert notebook is not None
    assert notebook.text == "# %%\n# %%bash\n# ls -l\n\n"


@pytest.mark.parametrize(
    ("language", "marker"),
    [("R", "# %%"), ("scala", "// %%"), ("C++", "// %%"), ("haskell", "-- %%")],
)
def test_comments_follow_the_kernel(language: str, marker: str) -> None:
    notebook = read_notebook(make_notebook(code("x"), language=language))
    assert notebook is not None
    assert notebook.text.startswith(marker + "\nx")


def test_format_three_is_read() -> None:
    sheet = {"cells": [{"cell_type": "code", "input": ["a = 1\n"], "language": "python"}]}
    notebook = read_notebook(json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [sheet]}))
    assert notebook is not None
    assert "a = 1" in notebook.text


def test_text_holds_nothing_that_cannot_be_stored() -> None:
    notebook = read_notebook('{"cells": [{"cell_type": "code", "source": "a\\u0000b \\ud83d c"}]}')
    assert notebook is not None
    notebook.text.encode()
    assert "\0" not in notebook.text


@pytest.mark.parametrize(
    "source", ["", "{", "[]", "{}", '{"cells": 1}', '{"metadata": []}', "[" * 100_000]
)
def test_what_is_no_notebook_gives_none(source: str) -> None:
    assert read_notebook(source) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "source", "cell_type", "metadata", "kernelspec", "language"]),
            inner,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(json_values)
def test_any_json_gives_a_notebook_or_none(value: object) -> None:
    notebook = read_notebook(json.dumps(value))
    assert notebook is None or notebook.text.encode() is not None


def test_base64_is_dropped_and_prose_is_not() -> None:
    assert drop_inline_data(f'"image/png": "{IMAGE}"') == '"image/png": "\u2026"'
    assert drop_inline_data('"word " * 100') == '"word " * 100'
