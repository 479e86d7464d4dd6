from hypothesis import given
from hypothesis import strategies as st

from scrubjay.index.windows import split_windows


def test_short_text_is_its_own_window():
    assert split_windows("abc", 600, 80) == ["abc"]


def test_blank_text_has_no_window():
    assert split_windows(" \n\t", 600, 80) == []


def test_windows_end_at_lines_where_they_can():
    text = "\n".join(f"line {i} of the text" for i in range(60))
    windows = split_windows(text, 200, 20)
    assert all(window.endswith("\n") for window in windows[:-1])


def test_zero_overlap_is_legal():
    assert "".join(split_windows("x" * 1000, 300, 0)) == "x" * 1000


@given(st.text(min_size=1), st.integers(1, 50), st.integers(0, 60))
def test_windows_fit_and_cover(text: str, size: int, overlap: int):
    windows = split_windows(text, size, overlap)
    assert all(0 < len(window) <= size and window.strip() for window in windows)
    position = 0
    for window in windows:
        found = text.find(window, max(0, position - size))
        assert found >= 0
        position = found + len(window)
    assert not text.strip() or windows
