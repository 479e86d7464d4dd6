import math
import threading

import numpy as np
import pytest
from tests.models.tiny_models import write_encoder

from scrubjay.errors import ModelError, TooSlow
from scrubjay.models.builtin import data_folder
from scrubjay.models.late_interaction import load_late_interaction
from scrubjay.sections import RerankSettings

VECTORS = {
    "boat": (1, 0, 0),
    "harbour": (0.8, 0.6, 0),
    "car": (0, 0, 1),
    "sea": (0, 1, 0),
    "[CLS]": (0, 0, 0.5),
    "[SEP]": (0, 0, 0.5),
}


@pytest.fixture
def folder(tmp_path):
    return write_encoder(tmp_path / "tiny", VECTORS)


def judge(reranker, question, texts, deadline=math.inf):
    return reranker.judge(question, texts, deadline)


def test_maxsim_is_the_mean_of_each_word_s_best_match(folder):
    reranker = load_late_interaction(RerankSettings(), folder)
    (both, one) = judge(reranker, "boat sea", ["harbour sea", "car"])
    assert both[1] == pytest.approx((0.8 + 1) / 2, abs=0.01)
    assert one[1] == pytest.approx(0, abs=0.01)


def test_cosine_compares_the_means(folder):
    reranker = load_late_interaction(RerankSettings(), folder)
    ((cosine, _),) = judge(reranker, "boat", ["sea sea"])
    question = np.array([1, 0, 1.0])
    text = np.array([0, 2, 1.0])
    expected = question @ text / np.linalg.norm(question) / np.linalg.norm(text)
    assert cosine == pytest.approx(expected, abs=1e-3)


def test_texts_are_read_as_their_words(folder):
    reranker = load_late_interaction(RerankSettings(), folder)
    split, plain = judge(reranker, "boat", ["getHarbour(car);", "harbour car"])
    assert split[1] == pytest.approx(plain[1])


def test_text_that_was_read_is_not_read_again(folder):
    reranker = load_late_interaction(RerankSettings(), folder)
    first = judge(reranker, "boat", ["harbour", "car"])
    (folder / "model.onnx").unlink()
    assert judge(reranker, "boat", ["car", "harbour", "car"]) == [first[1], first[0], first[1]]


def test_memory_for_what_was_read_is_bounded(folder):
    reranker = load_late_interaction(RerankSettings(cache_mb=0), folder)
    assert len(judge(reranker, "boat", ["harbour", "car", "sea"])) == 3
    assert reranker._known._held == {}


def test_deadline_keeps_what_was_read(folder):
    reranker = load_late_interaction(RerankSettings(threads=1), folder)
    judge(reranker, "boat", ["harbour"])
    with pytest.raises(TooSlow):
        judge(reranker, "boat", ["harbour", "car"], deadline=0.0)
    assert len(judge(reranker, "boat", ["harbour"], deadline=0.0)) == 1


def test_model_is_let_go_when_nobody_asks(folder):
    reranker = load_late_interaction(RerankSettings(idle_s=0), folder)
    judge(reranker, "boat", ["harbour"])
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer) and thread.interval == 0:
            thread.join(5)
    assert not reranker._model.is_open
    assert len(judge(reranker, "boat", ["car"])) == 1


def test_several_threads_may_ask(folder):
    reranker = load_late_interaction(RerankSettings(threads=2), folder)
    answers = []
    texts = [f"harbour sea {'car ' * n}" for n in range(6)]
    askers = [
        threading.Thread(target=lambda: answers.append(judge(reranker, "boat", texts)))
        for _ in range(4)
    ]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert len(answers) == 4
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("where is it", True),
        ("où est la café", True),
        ("xử lý lỗi kết nối cơ sở dữ liệu", True),
        ("用户登录", False),
        ("где это", False),
        ("登录 view of the user", True),
        ("?!", True),
    ],
)
def test_reads_latin_letters_only(folder, question, expected):
    assert load_late_interaction(RerankSettings(), folder).reads(question) is expected


def test_folder_that_says_nothing_is_refused(tmp_path):
    with pytest.raises(ModelError, match="MODEL.json"):
        load_late_interaction(RerankSettings(), tmp_path)


def test_shipped_model_prefers_the_answer():
    reranker = load_late_interaction(RerankSettings(), data_folder("minilm-384"))
    right = (
        "upload.py\ndef check_size(file):\n    if file.size > MAX_BYTES:\n        raise TooLarge"
    )
    wrong = "colour.py\ndef mix(red, green):\n    return (red + green) / 2"
    judged = judge(reranker, "refuse files that are too big", [wrong, right])
    assert judged[1][0] > judged[0][0] + 0.1
    assert judged[1][1] > judged[0][1] + 0.05
