"""Where code is cut, and what a chunk knows about its place."""

from __future__ import annotations

from chunk_checks import chunked, texts

from scrubjay.sections import ChunkSettings

NO_OVERLAP = ChunkSettings(overlap_chars=0)


def body(name: str, lines: int, indent: str = "    ") -> str:
    return "".join(f"{indent}{name}_{i} = compute({i}, 'some words')\n" for i in range(lines))


def method(name: str, lines: int) -> str:
    return f"    def {name}(self):\n{body(name, lines, ' ' * 8)}\n"


def test_function_is_one_chunk_with_its_name():
    text = f"def first():\n{body('a', 16)}\n\ndef second():\n{body('b', 16)}"
    first, second = chunked(text, "python", NO_OVERLAP).chunks
    assert (first.kind, first.scope) == ("function", ("first",))
    assert (second.kind, second.scope) == ("function", ("second",))
    assert text[second.span.start :].startswith("def second")
    assert second.enclosing == (second.span.start, second.span.end)


def test_big_class_is_opened_into_methods():
    text = "class Store(Base):\n    '''Doc.'''\n\n" + "".join(
        method(name, 14) for name in ("load", "save", "drop")
    )
    result = chunked(text, "python", NO_OVERLAP)
    assert [chunk.scope for chunk in result.chunks] == [
        ("Store",),
        ("Store", "save"),
        ("Store", "drop"),
    ]
    assert [chunk.kind for chunk in result.chunks] == ["class", "method", "method"]
    assert result.chunks[0].enclosing == (0, len(text.rstrip()))


def test_method_is_named_despite_closing_brackets():
    methods = "".join(
        f"  {name}() {{\n" + "    work(1, 'some more words');\n" * 18 + "  }\n" for name in "ab"
    )
    result = chunked(f"class Box {{\n{methods}}}\n", "javascript", NO_OVERLAP)
    assert result.chunks[-1].scope == ("Box", "b")


def test_definition_keeps_decorators_and_comments():
    lead = "# says why\n# in two lines\n@app.route('/x')\n@cached\n"
    text = f"def first():\n{body('a', 16)}\n\n{lead}def second():\n{body('b', 16)}"
    result = chunked(text, "python", NO_OVERLAP)
    assert texts(text, result)[1].startswith(lead)
    definition = result.definitions[1]
    assert text[definition.span.start : definition.span.end].startswith(lead + "def second")


def test_comment_after_blank_line_is_no_part_of_definition():
    text = "# licence\n\ndef f():\n    pass\n"
    definition = chunked(text, "python").definitions[0]
    assert definition.span.first_line == 3


def test_small_siblings_are_merged():
    text = "".join(f"def get_{i}():\n    return {i}\n\n\n" for i in range(20))
    result = chunked(text, "python", NO_OVERLAP)
    assert len(result.chunks) == 1
    assert (result.chunks[0].kind, result.chunks[0].scope) == ("code", ())
    assert len(result.definitions) == 20


def test_long_function_is_cut_between_statements():
    block = "    if ready:\n" + body("deep", 6, " " * 8)
    text = "def run():\n" + block * 12
    result = chunked(text, "python", NO_OVERLAP)
    assert len(result.chunks) > 3
    assert {chunk.scope for chunk in result.chunks} == {("run",)}
    assert all(t.startswith(("def run", "    if ready")) for t in texts(text, result))


def test_imports_are_one_chunk_when_long():
    text = "".join(f"import package_{i}.module_{i}\n" for i in range(12))
    text += f"\n\ndef run():\n{body('a', 14)}"
    result = chunked(text, "python", NO_OVERLAP)
    assert [chunk.kind for chunk in result.chunks] == ["import", "function"]
    assert [(run.first_line, run.last_line) for run in result.imports] == [(1, 12)]


def test_overlap_is_whole_lines_of_the_chunk_before():
    text = f"def run():\n{body('step', 60)}"
    result = chunked(text, "python")
    lines = text.splitlines(keepends=True)
    for before, after in zip(result.chunks, result.chunks[1:], strict=False):
        shared = text[after.span.start : before.span.end]
        assert 0 < len(shared) <= 100
        assert all(line + "\n" in lines for line in shared.splitlines())


def test_overlap_zero_means_none():
    text = f"def run():\n{body('step', 60)}"
    chunks = chunked(text, "python", NO_OVERLAP).chunks
    assert all(a.span.end <= b.span.start for a, b in zip(chunks, chunks[1:], strict=False))


def test_spans_count_utf16_and_lines_behind_wide_characters():
    text = "# 漢字 😀😀 e\u0301\r\nname = '😀'\r\n\r\n\r\ndef größe():\r\n    return '→'\r\n"
    definition = chunked(text, "python").definitions[0]
    span = definition.span
    assert text[span.start : span.end] == "def größe():\r\n    return '→'"
    assert (definition.name, span.first_line, span.last_line) == ("größe", 5, 6)
    assert span.start16 == span.start + 3


def test_twin_functions_are_both_found():
    text = ("def twin():\n" + body("a", 16) + "\n\n") * 2
    result = chunked(text, "python", NO_OVERLAP)
    first, second = texts(text, result)
    assert first == second
    assert [d.span.first_line for d in result.definitions] == [1, 20]


def test_lines_inserted_on_top_move_positions_only():
    text = f"def first():\n{body('a', 16)}\n\ndef second():\n{body('b', 16)}"
    moved = "# one\n# two\n\n" + text
    before, after = chunked(text, "python"), chunked(moved, "python")
    assert texts(text, before)[1] == texts(moved, after)[1]
    assert after.chunks[1].span.first_line == before.chunks[1].span.first_line + 3


def test_data_is_cut_at_outer_keys():
    text = "".join(
        f"job_{i}:\n" + "".join(f"  - step: run the thing number {n}\n" for n in range(20))
        for i in range(3)
    )
    result = chunked(text, "yaml", NO_OVERLAP)
    assert [chunk.scope for chunk in result.chunks] == [("job_0",), ("job_1",), ("job_2",)]
    assert result.definitions == ()


def test_component_script_is_read_as_code():
    script = "export function total(x: number) {\n" + "  add(x, 'some words');\n" * 20 + "}\n"
    markup = "<template>\n  <p>漢😀 " + "words " * 20 + "</p>\n</template>\n"
    text = f'{markup}<script lang="ts">\n{script}</script>\n'
    result = chunked(text, "vue", NO_OVERLAP)
    assert [d.name for d in result.definitions] == ["total"]
    assert ("total",) in [chunk.scope for chunk in result.chunks]
