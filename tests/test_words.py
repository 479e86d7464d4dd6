from hypothesis import given
from hypothesis import strategies as st

from scrubjay.words import MAX_WORD_CHARS, indexed_words, is_compound, runs, split_run, words


def check(text: str, expected: str) -> None:
    assert " ".join(words(text)) == expected


def test_words_split_identifiers_at_case_and_underscore():
    check("getUserName parse_HTTP_response", "get user name parse http response")
    check("parseHTTPResponse HTTP2Server ABCd", "parse http response http2 server ab cd")
    check("__init__ foo_bar_BAZ", "init foo bar baz")


def test_words_keep_digits_attached():
    check("utf8 i18n x2y v1.2", "utf8 i18n x2y v1 2")


def test_words_pair_cjk_characters():
    check("用户登录", "用户 户登 登录")
    check("的 BOSS血条", "的 boss 血条")


def test_words_keep_accents_and_other_scripts():
    check("café РазДва Straße", "café раз два straße")


def test_words_compose_decomposed_accents():
    check("cafe\u0301", "caf\u00e9")


def test_words_drop_punctuation_and_operators():
    check("a->b && (c) ___ <|endoftext|>", "a b c endoftext")


def test_indexed_words_add_the_whole_identifier():
    assert indexed_words("getUserName get_user x") == "get user name getusername get user getuser x"


def test_long_runs_are_cut():
    assert all(len(word) <= MAX_WORD_CHARS for word in words("a" * 10_000))
    assert len(words("a" * 10_000)) <= 512 // MAX_WORD_CHARS


def test_is_compound_is_false_for_cjk_and_single_words():
    assert is_compound("get_user")
    assert not is_compound("user")
    assert not is_compound("用户登录")


@given(st.text())
def test_words_are_lower_case_parts_of_runs(text: str):
    for run in runs(text):
        assert run
        for word in split_run(run):
            assert word
            assert "_" not in word
            assert not word.isspace()


@given(st.text())
def test_question_and_index_agree_on_words(text: str):
    assert set(words(text)) <= set(indexed_words(text).split())
