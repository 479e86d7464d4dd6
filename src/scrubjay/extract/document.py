"""What does a file say? One entry for every kind of file: bytes in, a Document or a reason out."""

from __future__ import annotations

from scrubjay.extract.notebook import drop_inline_data, read_notebook
from scrubjay.extract.text import decode, has_visible
from scrubjay.types import Document, SkipReason

NOTEBOOK_LANGUAGE = "jupyter"


def extract(
    data: bytes, path: bytes, language: str | None, legacy_encoding: str = ""
) -> Document | SkipReason:
    """Make the one text of a file that chunks and results are sliced from.

    Gives EMPTY, BLANK or BINARY where there is none. A notebook that is no valid one is kept as the
    JSON text it is, without base64. Raises nothing for any input.
    """
    decoded = decode(data, legacy_encoding)
    if isinstance(decoded, SkipReason):
        return decoded
    text = decoded.text
    if language == NOTEBOOK_LANGUAGE or path.lower().endswith(b".ipynb"):
        notebook = read_notebook(text)
        text = drop_inline_data(text) if notebook is None else notebook.text
        language = "json" if notebook is None else notebook.language
        if not has_visible(text):
            return SkipReason.BLANK
    return Document(text, language, decoded.encoding, decoded.is_guess)
