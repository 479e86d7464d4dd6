"""Chinese words of a question in English."""

from __future__ import annotations

import pytest

from scrubjay.errors import ModelError
from scrubjay.models import glossary
from scrubjay.models.glossary import Glossary, load_glossary
from scrubjay.models.wordpiece import WordPiece

SMALL = Glossary(WordPiece(["删除", "目录", "的", "删"]), ("delete", "directory", "", ""))


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("删除目录", "delete directory"),
        ("删除 tmp 的目录", "delete tmp directory"),
        ("删除tmp目录", "delete tmp directory"),
        ("parse json", "parse json"),
        ("删", ""),
        ("", ""),
    ],
)
def test_glossary_spells_what_it_knows(question, english):
    assert SMALL.english_of(question) == english


def test_shipped_glossary_knows_the_words_of_programming():
    said = load_glossary().english_of("数据库的密码 缓存 线程").split()
    assert {"database", "password", "cache", "thread"} <= set(said)


def test_missing_glossary_is_a_model_error(monkeypatch, tmp_path):
    monkeypatch.setattr(glossary, "data_folder", lambda name: tmp_path / name)
    load_glossary.cache_clear()
    with pytest.raises(ModelError, match=r"glossary\.tsv"):
        load_glossary()
