"""What do a question's Chinese words mean in English? For whatever reads English only.

The glossary was learnt from translations along with the rows of `static-256` (docs/models.md). It
is word by word: no grammar, and words without a clear meaning are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from scrubjay import words
from scrubjay.errors import ModelError
from scrubjay.models.builtin import STATIC_256, data_folder
from scrubjay.models.wordpiece import WordPiece, stretches

GLOSSARY_NAME = "glossary.tsv"


@dataclass(frozen=True, slots=True)
class Glossary:
    """Chinese entries and, at the same place, the English words each stands for."""

    pieces: WordPiece
    meanings: tuple[str, ...]

    def english_of(self, question: str) -> str:
        """Spell a question in English words; runs without Chinese stay as they are.

        >>> load_glossary().english_of("删除 tmp 目录")
        'delete tmp directory'
        """
        said: list[str] = []
        for run in words.runs(question):
            if words.has_cjk(run):
                said += self._meanings_of(run)
            else:
                said.append(run)
        return " ".join(dict.fromkeys(said))

    def _meanings_of(self, run: str) -> list[str]:
        said: list[str] = []
        for stretch in stretches(run):
            if words.has_cjk(stretch):
                said += [self.meanings[row] for row in self.pieces.rows_of_run(stretch)]
            else:
                said.append(stretch)
        return [word for word in said if word]


def in_english(question: str) -> str:
    """Spell a question in English words; raises ModelError where the glossary is missing."""
    return load_glossary().english_of(question)


@lru_cache(maxsize=1)
def load_glossary() -> Glossary:
    """Read the shipped glossary (some 10 ms); raises ModelError where it is missing."""
    try:
        text = (data_folder(STATIC_256) / GLOSSARY_NAME).read_text("utf-8")
    except OSError as error:
        raise ModelError(f"{GLOSSARY_NAME}: {error}", hint="reinstall scrubjay") from error
    lines = [line.split("\t") for line in text.splitlines()]
    return Glossary(WordPiece([entry for entry, _ in lines]), tuple(word for _, word in lines))
