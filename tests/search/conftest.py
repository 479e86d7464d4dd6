"""A small index to ask: made-up trees, cut by hand, with vectors that count words."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from scrubjay.errors import Transient
from scrubjay.search import Searchable, search
from scrubjay.search.rerank import SecondStage
from scrubjay.sections import SearchSettings
from scrubjay.store.commit import Committer, Met, Publication, open_space
from scrubjay.store.content import Content, StoredChunk, deflate
from scrubjay.store.files import add_files, add_root, mark_files, split_path
from scrubjay.store.maintain import Stores, open_for_writing
from scrubjay.types import (
    Chunk,
    Definition,
    Entry,
    Filters,
    Kind,
    RootKind,
    SearchReport,
    Space,
    Span,
    Stat,
)
from scrubjay.words import indexed_words, words

STAMP = Stat(1, 2, 3, 4, 5)
LANGUAGES = {"py": "python", "go": "go", "md": "markdown", "po": "gettext"}
DEFINED = re.compile(r"^[ ]*(def|class|func) +(\w+)", re.MULTILINE)
IMPORT = re.compile(r"^(import|from) .*$", re.MULTILINE)


class CountingEmbedder:
    """Embeds a text as hashed counts of its words; knows no word that begins with `zz`."""

    def __init__(self, model: str = "counting", dimension: int = 64) -> None:
        self.space = Space("test", model, "1", dimension, 600, 80)

    def embed_texts(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.space.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                if not word.startswith("zz"):
                    row[hashlib.md5(word.encode()).digest()[0] % len(row)] += 1
            row /= np.linalg.norm(row) or 1
        return rows

    def embed_query(self, question: str) -> np.ndarray:
        return self.embed_texts([question])[0]


class FailingEmbedder(CountingEmbedder):
    """Stands for a provider that is down."""

    def embed_query(self, question: str) -> np.ndarray:
        raise Transient("the provider is down")


class WordReranker:
    """Judges a text by the share of the question's words it holds; reads no Han."""

    profile = "word-reranker"
    features = ("relevance",)

    def __init__(self, answer: object = None) -> None:
        self.answer = answer
        self.read: list[str] = []

    def reads(self, question: str) -> bool:
        return question.isascii()

    def judge(
        self, question: str, texts: Sequence[str], deadline: float
    ) -> list[tuple[float, ...]]:
        self.read += texts
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer is not None:
            return [(self.answer,) for _ in texts]
        asked = set(words(question))
        return [(len(asked & set(words(text))) / len(asked),) for text in texts]


def span_of(text: str, start: int, end: int) -> Span:
    first = text.count("\n", 0, start) + 1
    return Span(start, end, start, end, first, first + text.count("\n", start, end - 1))


def cut(text: str) -> list[tuple[int, int]]:
    """Cut at blank lines."""
    return [match.span() for match in re.finditer(r"(?:(?!\n\n).)+\n?", text, re.DOTALL)]


def definitions_of(text: str) -> tuple[Definition, ...]:
    """Find definitions; each ends where the next of no deeper indentation begins."""
    found: list[Definition] = []
    for match in DEFINED.finditer(text):
        depth = len(match[0]) - len(match[0].lstrip())
        following = re.compile(rf"^[ ]{{0,{depth}}}\S", re.MULTILINE).search(text, match.end())
        end = len((text[: following.start()] if following else text).rstrip())
        span = span_of(text, match.start(), end)
        around = [d.name for d in found if d.span.start < span.start and span.end <= d.span.end]
        found.append(Definition(match[2], "function", span, ".".join(around)))
    return tuple(found)


@dataclass
class Library:
    """An index open for writing that can be asked."""

    stores: Stores
    embedder: CountingEmbedder
    roots: dict[int, str]
    texts: dict[str, str]

    def another(self) -> CountingEmbedder:
        return CountingEmbedder("another", 32)

    def failing(self) -> CountingEmbedder:
        return FailingEmbedder()

    def root(self, name: str) -> int:
        known = {held: id for id, held in self.roots.items()}
        if name not in known:
            id = add_root(self.stores.catalog, b"/" + name.encode(), RootKind.TEXT, 1)
            self.roots[id] = name
            return id
        return known[name]

    def known(self, root: int, path: str) -> tuple[int, int] | None:
        return self.stores.catalog.row(
            "SELECT id, mark FROM files WHERE root = ? AND folder = ? AND name = ?",
            (root, *split_path(path.encode())),
        )

    def mark(self, path: str, root: str = "app") -> None:
        file = self.known(self.root(root), path)
        assert file is not None
        with self.stores.catalog.writing():
            mark_files(self.stores.catalog, [file[0]])

    def put(
        self,
        texts: dict[str, str],
        root: str = "app",
        *,
        windows: int = 1,
        words_only: bool = False,
    ) -> None:
        """Publish files by path; every chunk gets `windows` equal vectors."""
        catalog, id = self.stores.catalog, self.root(root)
        self.texts.update(texts)
        entries = [
            Entry(path.encode(), STAMP, Kind.TEXT, LANGUAGES.get(path.rpartition(".")[2]))
            for path in texts
        ]
        with catalog.writing():
            add_files(catalog, id, [e for e in entries if self.known(id, e.path.decode()) is None])
        space = open_space(catalog, self.embedder.space)
        publications = []
        for entry, text in zip(entries, texts.values(), strict=True):
            file = self.known(id, entry.path.decode())
            assert file is not None
            publications.append(self._publication(file, entry, text, 0 if words_only else windows))
        Committer(catalog, self.stores.vectors).publish(publications, space)

    def _publication(
        self, file: tuple[int, int], entry: Entry, text: str, windows: int
    ) -> Publication:
        definitions = definitions_of(text)
        spans = cut(text)
        stored = tuple(
            StoredChunk(
                Chunk(span_of(text, *span), "code"),
                indexed_words(
                    " ".join(d.name for d in definitions if span[0] <= d.span.start < span[1])
                ),
                indexed_words(text[slice(*span)]),
                hashlib.sha256(text[slice(*span)].encode()).digest(),
                windows,
            )
            for span in spans
        )
        imports = tuple(span_of(text, *match.span()) for match in IMPORT.finditer(text))
        pieces = [text[slice(*span)] for span in spans for _ in range(windows)]
        return Publication(
            Met(*file, STAMP, "recipe"),
            Content(
                deflate(text),
                len(text),
                indexed_words(entry.path.decode()),
                stored,
                definitions,
                imports,
            ),
            hashlib.sha256(text.encode()).digest(),
            entry.language,
            "utf-8",
            vectors=self.embedder.embed_texts(pieces) if windows else None,
        )

    def ask(
        self,
        question: str,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        *,
        embedders: Sequence[CountingEmbedder] | None = None,
        second: SecondStage | None = None,
        gloss: Callable[[str], str] | None = None,
        **settings: object,
    ) -> SearchReport:
        at_hand = (self.embedder,) if embedders is None else tuple(embedders)
        index = Searchable(self.stores, self.roots, at_hand, second, gloss)
        return search(question, index, filters, SearchSettings(**settings))

    def paths(self, question: str, filters: Filters = Filters(), **settings: object) -> list[str]:  # noqa: B008
        return [hit.path for hit in self.ask(question, filters, **settings).hits]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    stores = open_for_writing(tmp_path / "index")
    yield Library(stores, CountingEmbedder(), {}, {})
    stores.close()


SHOP = {
    "shop/cart.py": """import money
import tax

class Cart:
    total = 0

    def add_item(self, item):
        self.total += item.price

    def empty(self):
        self.total = 0
""",
    "shop/checkout.py": """from shop import cart

def pay(cart, card):
    return card.charge(cart.total)
""",
    "shop/tests/test_cart.py": """from shop.cart import Cart

def test_add_item():
    cart = Cart()
    cart.add_item(1)
    assert cart.total == 1
""",
    "docs/cart.md": "# The cart\n\nItems are added to the cart before checkout.\n",
    "locale/de.po": 'msgid "Add item to cart"\nmsgstr "In den Warenkorb"\n',
    "server/main.go": "package main\n\nfunc ServeHTTP(w Writer) {\n\tlisten(w)\n}\n",
    "notes/用户.md": "# 说明\n\n用户登录之后可以查看订单。\n",
}


@pytest.fixture(scope="session")
def shop_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the shop's index once: every test works on a copy."""
    folder = tmp_path_factory.mktemp("shop") / "index"
    stores = open_for_writing(folder)
    library = Library(stores, CountingEmbedder(), {}, {})
    library.put(SHOP)
    library.put({"readme.md": "# Another\n\nNothing about carts.\n"}, root="other")
    stores.close()
    return folder


@pytest.fixture
def shop(shop_folder: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copytree(shop_folder, tmp_path / "index")
    stores = open_for_writing(tmp_path / "index")
    yield Library(stores, CountingEmbedder(), {1: "app", 2: "other"}, dict(SHOP))
    stores.close()
