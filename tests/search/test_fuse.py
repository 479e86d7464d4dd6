from dataclasses import replace

import pytest

from scrubjay.search.fuse import Candidates, fuse, one_per_file
from scrubjay.search.plan import make_plan
from scrubjay.search.retrieve import Named, Ranking
from scrubjay.sections import SearchSettings
from scrubjay.store.content import Found
from scrubjay.types import Filters, Leg, Span

SETTINGS = SearchSettings()
BARE = replace(
    SETTINGS, coherence=False, definition_prior=False, stem_prior=False, path_class_prior=False
)


def found(chunks: dict[int, str]) -> dict[int, Found]:
    files = {path: number for number, path in enumerate(dict.fromkeys(chunks.values()))}
    span = Span(0, 9, 0, 9, 1, 1)
    return {
        id: Found(
            id, files[path], 1, path.encode(), "python", b"", "clean", "code", (), span, None, b""
        )
        for id, path in chunks.items()
    }


def fused(chunks, *, question="q w", settings=SETTINGS, **brought):
    """Fuse and fold; `brought` are the legs' chunk ids, `named` and `framed` chunks."""
    rankings = [
        Ranking(leg, weight, tuple(ids), tuple(float(len(ids) - i) for i in range(len(ids))))
        for leg, weight, ids in (
            (Leg.WORDS, settings.words_weight, brought.get("words", ())),
            (Leg.VECTORS, 0.5, brought.get("vectors", ())),
        )
    ]
    named, framed = brought.get("named", {}), brought.get("framed", {})
    candidates = Candidates(rankings, named, framed, found(chunks))
    ordered = fuse(make_plan(question, Filters()), candidates, settings)
    return one_per_file(ordered) if settings.one_per_file else ordered


def paths(scored):
    return [item.found.path.decode() for item in scored]


def reasons(item):
    return {reason.name for reason in item.contributions}


def test_fuse_prefers_what_both_legs_find():
    chunks = {1: "a.py", 2: "b.py", 3: "c.py"}
    assert paths(fused(chunks, words=[1, 2], vectors=[3, 2], settings=BARE))[0] == "b.py"


def test_fuse_weighs_the_legs():
    chunks = {1: "a.py", 2: "b.py"}
    only_vectors = replace(BARE, words_weight=0.0)
    assert paths(fused(chunks, words=[1, 2], vectors=[2, 1], settings=BARE))[0] == "a.py"
    assert paths(fused(chunks, words=[1, 2], vectors=[2, 1], settings=only_vectors))[0] == "b.py"


def test_fuse_passes_over_chunks_that_are_not_live():
    assert paths(fused({2: "b.py"}, words=[1, 2])) == ["b.py"]


def test_fuse_keeps_every_reason_for_a_score():
    chunks = {1: "cart.py", 2: "cart.py", 3: "tests/test_cart.py"}
    named = {1: Named("cart", True, False, 1)}
    for item in fused(chunks, words=[3, 2, 1], vectors=[1], named=named, question="the `cart`"):
        assert item.score == pytest.approx(sum(reason.value for reason in item.contributions))
        words = item.contributions[0]
        assert (words.name, words.rank is None, words.raw is None) == ("words", False, False)


def test_fuse_shows_one_hit_per_file_and_names_its_other_places():
    chunks = {1: "a.py", 2: "a.py", 3: "b.py"}
    (first, second) = fused(chunks, words=[1, 3, 2])
    assert [other.id for other in first.more] == [2]
    assert second.more == ()
    assert len(fused(chunks, words=[1, 3, 2], settings=replace(SETTINGS, one_per_file=False))) == 3


def test_coherence_lets_a_file_with_more_matches_win():
    chunks = {1: "a.py", 2: "b.py", 3: "b.py", 4: "b.py"}
    assert paths(fused(chunks, words=[1, 2, 3, 4], settings=BARE))[0] == "a.py"
    with_coherence = fused(chunks, words=[1, 2, 3, 4], settings=replace(BARE, coherence=True))
    assert paths(with_coherence)[0] == "b.py"
    assert "coherence" in reasons(with_coherence[0])


def test_definition_prior_lifts_the_definition_of_a_spelled_name():
    chunks = {1: "a.py", 2: "b.py"}
    named = {2: Named("frob", True, False, 1)}
    lifted = fused(chunks, words=[1, 2], named=named, question="frob")
    assert paths(lifted)[0] == "b.py"
    assert "defines frob" in reasons(lifted[0])
    assert paths(fused(chunks, words=[1, 2], named=named, settings=BARE))[0] == "a.py"


def test_definition_prior_fades_with_namesakes():
    chunks = {1: "a.py", 2: "b.py"}
    few = fused(chunks, named={1: Named("x_y", True, False, 1), 2: Named("z_y", True, False, 9)})
    assert paths(few) == ["a.py", "b.py"]


def test_definition_prior_prefers_the_owner_that_is_spelled():
    chunks = {1: "a.py", 2: "b.py"}
    named = {1: Named("save", True, False, 1), 2: Named("save", True, True, 1)}
    assert paths(fused(chunks, words=[1, 2], named=named, question="Model.save"))[0] == "b.py"


def test_frame_prior_lifts_the_places_a_trace_names():
    chunks = {1: "a.py", 2: "b.py", 3: "c.py"}
    lifted = fused(chunks, words=[1, 2, 3], framed={3: 0, 2: 1})
    assert paths(lifted) == ["c.py", "b.py", "a.py"]
    assert "stack frame" in reasons(lifted[0])
    settings = replace(BARE, frame_prior=False)
    assert paths(fused(chunks, words=[1, 2, 3], framed={3: 0}, settings=settings))[0] == "a.py"


def test_stem_prior_lifts_files_named_after_the_question():
    chunks = {1: "a.py", 2: "shopping_carts.py"}
    lifted = fused(chunks, words=[1, 2], question="empty the shopping cart")
    assert paths(lifted)[0] == "shopping_carts.py"
    settings = replace(SETTINGS, stem_prior=False)
    plain = fused(chunks, words=[1, 2], question="empty the shopping cart", settings=settings)
    assert paths(plain)[0] == "a.py"


def test_stem_prior_names_entry_files_after_their_folder():
    chunks = {1: "a.py", 2: "paginator/__init__.py"}
    assert paths(fused(chunks, words=[1, 2], question="paginator of lists"))[0].startswith("pag")


def test_stem_prior_puts_the_path_that_is_asked_for_first():
    chunks = {1: "a/other.py", 2: "b/tests/csrf.py"}
    for question in ("tests/csrf.py", "b\\tests\\csrf.py", "tests/csrf.py:12"):
        assert paths(fused(chunks, words=[1, 2], question=question))[0] == "b/tests/csrf.py"


def test_path_class_prior_lowers_tests_unless_asked_for():
    chunks = {1: "tests/test_a.py", 2: "b.py"}
    lowered = fused(chunks, words=[1, 2], question="how it loads")
    assert paths(lowered)[0] == "b.py"
    assert "tests" in reasons(lowered[1])
    assert paths(fused(chunks, words=[1, 2], question="tests of how it loads"))[0].startswith("t")


def test_path_class_prior_keeps_translations_from_drowning_code():
    chunks = {**{i: f"locale/l{i}/django.po" for i in range(2, 30)}, 1: "forms.py"}
    assert paths(fused(chunks, words=range(29, 0, -1)))[0] == "forms.py"
