import pytest
from comments import question_from, without_comments

GO = """package p

// Open returns a reader for the named file.
// The caller closes it.
func Open(name string) (*Reader, error) {
\tfile, err := os.Open(name)
\treturn &Reader{file}, err
}

func plain(a int) int {
\treturn a + 1
}
"""

PYTHON = '''@decorated
def load(path):
    """Read the settings of a user from a file.

    Nothing else.
    """
    with open(path) as file:
        return parse(file.read())


def other():
    return load("x")
'''

JAVASCRIPT = """/**
 * Removes all listeners of one event.
 * @param {string} name
 */

Emitter.prototype.clear = function clear(name) {
  this.listeners[name] = [];
  return this;
};
"""


def lines(text, function):
    return text.splitlines()[function.first - 1 : function.last]


def test_leading_comment_is_cut_and_asks():
    left, functions = without_comments("a.go", GO, "go")
    assert "returns a reader" not in left
    assert [one.sentence for one in functions] == ["returns a reader for the named file", None]


def test_lines_are_those_after_the_cut():
    left, functions = without_comments("a.go", GO, "go")
    assert lines(left, functions[0])[0].startswith("func Open")
    assert lines(left, functions[1])[0].startswith("func plain")
    assert lines(left, functions[1])[-1] == "}"


def test_docstring_is_cut_and_decorator_kept():
    left, functions = without_comments("a.py", PYTHON, "python")
    assert '"""' not in left
    assert functions[0].sentence == "Read the settings of a user from a file"
    assert lines(left, functions[0]) == left.splitlines()[:4]
    assert lines(left, functions[1])[0] == "def other():"


def test_comment_apart_by_a_blank_line_belongs_to_its_function():
    left, functions = without_comments("a.js", JAVASCRIPT, "javascript")
    assert "listeners of one" not in left
    assert functions[0].sentence == "Removes all listeners of one event"


@pytest.mark.parametrize(
    "comment",
    ["// TODO: make this much faster some day", "// Too short", "/* {1, 2, 3} -> {4, 5}; a[0] */"],
)
def test_what_is_no_prose_does_not_ask(comment):
    assert question_from(comment) is None


def test_markup_is_taken_off_and_abbreviations_do_not_end_a_sentence():
    said = "/** Return {@code null} for a key, e.g. `None`, that [is](url) unknown. And so on. */"
    assert question_from(said) == "Return null for a key, e.g. None, that is unknown"
