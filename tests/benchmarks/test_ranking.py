import json

import pytest
from asking import Answer
from bm25 import Blocks
from questions import Place, Question, read_set
from report import compare_tongues, judge


def ask(*places, relevant=("a.py",)):
    question = Question("q", relevant, "repo", (), places)
    answer = Answer((Place("a.py", 1, 9), Place("b.py", 1, 5), Place("a.py", 20, 30)), 0.1)
    return judge(question, answer)


def test_place_counts_where_it_shares_a_line():
    assert ask(Place("a.py", 30, 40)).place_mrr_10 == pytest.approx(1 / 3)
    assert ask(Place("a.py", 10, 19)).place_mrr_10 == 0
    assert ask(Place("b.py", 5, 5)).place_mrr_10 == pytest.approx(1 / 2)


def test_set_without_places_has_no_place_score():
    assert ask().place_mrr_10 is None
    assert ask().files.mrr == 1


def test_rarer_words_and_shorter_blocks_rank_first():
    blocks = Blocks(
        [
            (Place("a.py", 1, 2), "def parseHeader(text): return text"),
            (Place("b.py", 1, 2), "text text text and more text about text"),
            (Place("a.py", 3, 4), "parse"),
        ]
    )
    assert [place.path for place in blocks.rank("parse header text")] == ["a.py", "b.py"]
    assert blocks.rank("parse header text")[0] == Place("a.py", 1, 2)
    assert blocks.rank("nothing") == []


def test_question_in_two_languages_is_asked_in_both(tmp_path):
    record = {"en": "open a file", "zh": "打开文件", "relevant": ["a.py"], "repo": "r"}
    (tmp_path / "set.jsonl").write_text(json.dumps(record), "utf-8")
    questions = read_set(tmp_path / "set.jsonl")
    assert [one.query for one in questions] == ["open a file", "打开文件"]
    worth = [ask(relevant=("a.py",)), ask(relevant=("b.py",))]
    assert "ratio 0.50" in (compare_tongues(questions, worth) or "")


def test_sets_in_one_language_are_not_compared():
    question = Question("q", ("a.py",), "repo", (), ())
    assert compare_tongues([question], [ask()]) is None
