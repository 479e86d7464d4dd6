"""Which pieces of a chunk get a vector each? Overlapping windows that fit a small model."""

from __future__ import annotations

_SEARCH_SHARE = 4
"""A window may end this part (1/4) early, to end at a line."""


def split_windows(text: str, window_chars: int, overlap_chars: int) -> list[str]:
    """Cut a chunk's text into windows of at most `window_chars`, preferably at line ends.

    A text that fits is its own only window; windows that would be white space only are left out.
    """
    if len(text) <= window_chars:
        return [text] if text.strip() else []
    windows, start = [], 0
    while True:
        end = _window_end(text, start, window_chars)
        window = text[start:end]
        if window.strip():
            windows.append(window)
        if end == len(text):
            return windows
        start = max(start + 1, end - min(overlap_chars, window_chars // 2))


def _window_end(text: str, start: int, window_chars: int) -> int:
    end = start + window_chars
    if end >= len(text):
        return len(text)
    line_end = text.rfind("\n", end - window_chars // _SEARCH_SHARE, end)
    return line_end + 1 if line_end > start else end
