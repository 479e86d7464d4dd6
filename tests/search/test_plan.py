from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.search.paths import PathClass
from scrubjay.search.plan import MAX_DENSE_CHARS, Plan, make_plan
from scrubjay.search.query_class import QueryClass
from scrubjay.types import Filters


def plan(question: str) -> Plan:
    return make_plan(question, Filters())


def names(question: str) -> set[str]:
    return {spelling.folded for spelling in plan(question).spellings}


def test_plan_tells_question_classes_apart():
    for question, expected in {
        "": QueryClass.BLANK,
        " \n\t": QueryClass.BLANK,
        '"?!(': QueryClass.BLANK,
        "_": QueryClass.BLANK,
        "getUserName": QueryClass.SYMBOL,
        "QuerySet.filter": QueryClass.SYMBOL,
        "std::vector": QueryClass.SYMBOL,
        "login": QueryClass.SYMBOL,
        "middleware/csrf.py": QueryClass.PATH,
        "csrf.py:120": QueryClass.PATH,
        "src\\app\\main.c": QueryClass.PATH,
        "how is a token checked": QueryClass.NATURAL,
        "TypeError: 'int' object is not callable": QueryClass.ERROR,
        "Traceback (most recent call last)": QueryClass.ERROR,
        "用户登录": QueryClass.CJK,
        "登录 view": QueryClass.CJK,
        "ValueError: 用户": QueryClass.CJK,
        "src/main.rs:4:5: error: mismatched types": QueryClass.ERROR,
        "thread 'main' panicked at src/main.rs:4:5": QueryClass.ERROR,
    }.items():
        assert plan(question).kind is expected, question


def test_plan_splits_identifiers_and_keeps_them_whole():
    found = plan("where is getUserName called")
    assert found.content == ("user", "name", "called")
    assert found.words == ("where", "is", "get", "user", "name", "called")
    assert "getusername" in found.joined


def test_plan_keeps_stop_words_that_are_all_there_is():
    assert plan("how is it").content == ("how", "is", "it")


def test_plan_keeps_stop_words_of_a_symbol():
    assert plan("get").content == ("get",)


def test_plan_reads_words_in_a_row_as_a_name():
    assert {"parse_headers", "parseheaders"} <= names("where do we parse headers")
    assert "we_parse" not in names("where do we parse headers")


def test_plan_takes_names_from_code_marks():
    assert {"frontend", "queryset", "filter"} <= names("fix `frontend` and QuerySet.filter please")
    assert "fix" not in names("fix `frontend` and QuerySet.filter please")


def test_plan_keeps_the_spelling_of_a_name():
    assert {s.exact for s in plan("CsrfViewMiddleware").spellings} >= {"CsrfViewMiddleware"}


def test_plan_hears_what_is_asked_for():
    assert plan("tests of the cart").wants == {PathClass.TESTS}
    assert plan("how the cart works").wants == frozenset()


def test_plan_embeds_the_title_of_a_long_text():
    long = "The server drops connections\n" + "a line of the log\n" * 200
    assert plan(long).dense == "The server drops connections"
    assert len(plan("word " * 1000).dense) <= MAX_DENSE_CHARS


def test_plan_reads_an_error_by_its_message():
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in go\n    x()\n'
    made = plan(f"{trace}KeyError: 'colour'")
    assert made.dense == "KeyError: 'colour'"
    assert [(f.path, f.line, f.name) for f in made.frames] == [("a.py", 3, "go")]
    assert {"colour", "traceback"} <= set(made.words)


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec=None), max_size=300))
def test_plan_takes_any_text(question):
    made = plan(question)
    assert (made.kind is QueryClass.BLANK) == (not made.words)
    made.question.encode("utf-8")
