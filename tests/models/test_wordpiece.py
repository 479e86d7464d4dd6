"""Runs to rows of a vocabulary, against the reference implementation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import words
from scrubjay.models.builtin import STATIC_256, data_folder
from scrubjay.models.wordpiece import WordPiece, without_accents

SMALL = ["un", "##aff", "##able", "able", "get", "user", "用", "户", "登录", "cafe", "##s"]


@pytest.fixture(scope="module")
def vocabulary():
    return (data_folder(STATIC_256) / "vocab.txt").read_text("utf-8").split("\n")[:-1]


@pytest.fixture(scope="module")
def reference(vocabulary):
    from tokenizers.models import WordPiece as Reference

    rows = {entry: row for row, entry in enumerate([*vocabulary, "[UNK]"])}
    return Reference(rows, unk_token="[UNK]", max_input_chars_per_word=100)


def spelled(*runs: str) -> list[list[str]]:
    cutter = WordPiece(SMALL)
    return [[SMALL[row] for row in cutter.rows_of_run(run)] for run in runs]


def test_word_is_cut_into_longest_pieces():
    assert spelled("unaffable", "able") == [["un", "##aff", "##able"], ["able"]]


def test_word_with_unknown_rest_stands_for_nothing():
    assert spelled("unknown", "zzz") == [[], []]


def test_identifier_is_split_before_it_is_cut():
    assert spelled("getUsers", "GET_USER") == [["get", "user", "##s"], ["get", "user"]]


def test_accents_are_dropped():
    assert spelled("Café") == [["cafe"]]
    assert without_accents("naïve") == "naive"


def test_cjk_stretch_is_cut_at_the_longest_entry():
    assert spelled("登录") == [["登录"]]
    assert spelled("用户登录") == [["用", "户", "登录"]]
    assert spelled("用户名登录页") == [["用", "户", "登录"]]


def test_run_of_two_scripts_is_cut_where_they_meet():
    assert spelled("getUser登录able") == [["get", "user", "登录", "able"]]


def test_chinese_words_are_entries_of_their_own(vocabulary):
    cutter = WordPiece(vocabulary)
    found = [vocabulary[row] for row in cutter.rows_of_run("密码存储数据库")]
    assert found == ["密码", "存储", "数据库"]


def test_hash_like_run_stands_for_nothing(vocabulary):
    cutter = WordPiece(vocabulary)
    assert (
        cutter.rows_of_run("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08") == ()
    )
    assert cutter.rows_of_run("sha256") != ()


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_pieces_equal_the_reference(vocabulary, reference, data):
    entry = st.sampled_from(vocabulary).map(lambda piece: piece.removeprefix("##"))
    letters = st.text("abcdefghijklmnopqrstuvwxyz0123456789éßя", max_size=6)
    word = without_accents("".join(data.draw(st.lists(entry | letters, min_size=1, max_size=4))))
    word = word.lower()[: words.MAX_WORD_CHARS]
    if words.has_cjk(word) or not word:
        return
    expected = [token.id for token in reference.tokenize(word)]
    unknown = [len(vocabulary)]
    assert list(WordPiece(vocabulary).rows_of_word(word)) == (
        [] if expected == unknown else expected
    )


def test_alphabets_the_vocabulary_only_spells_stand_for_nothing(vocabulary):
    cutter = WordPiece(vocabulary)
    assert cutter.rows_of_run("пользователь") == cutter.rows_of_run("χρήστης") == ()
    assert cutter.rows_of_run("Größe") != ()
    assert cutter.rows_of_run("日本") != ()
    assert cutter.rows_of_run("naïve") == cutter.rows_of_run("naive")
