"""Every setting, once: its default, unit, meaning, and whether a change makes files dirty.

Command-line flags, docs/settings.md and the settings form are made from these dataclasses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


def setting(
    default: T,
    help: str,
    *,
    unit: str = "",
    dirties: bool = False,
    least: int | float | None = None,
) -> T:
    """Declare a field; `dirties` says that a change asks for work on files already indexed."""
    metadata = {"help": help, "unit": unit, "dirties": dirties, "least": least}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """Which files are looked at."""

    max_text_bytes: int = setting(
        524_288, "Larger text files are skipped, and reported.", unit="bytes", dirties=True, least=1
    )
    extra_extensions: tuple[str, ...] = setting(
        (),
        "Extensions admitted besides the built-in list, e.g. `xyz` or `xyz=python`.",
        dirties=True,
    )
    ignore: tuple[str, ...] = setting(
        (),
        "Globs in gitignore syntax, applied last: nothing in a repository can undo them.",
        dirties=True,
    )
    builtin_rules: bool = setting(
        True, "Leave out dependencies, caches and build output by name.", dirties=True
    )
    gitignore: bool = setting(
        True, "Obey .gitignore files, info/exclude and git's global excludes.", dirties=True
    )
    nested_repositories: bool = setting(
        False, "Enter repositories and submodules inside a root.", dirties=True
    )
    legacy_encoding: str = setting(
        "",
        "Encoding to try when a file is neither Unicode nor clearly recognised, e.g. `gb18030`.",
        dirties=True,
    )
    one_file_system: bool = setting(
        True, "Do not cross into other file systems mounted below a root.", dirties=True
    )


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How documents are cut."""

    max_chars: int = setting(
        1_000, "Longest chunk before overlap.", unit="characters", dirties=True, least=100
    )
    min_chars: int = setting(
        100, "Shorter pieces are merged with a neighbour.", unit="characters", dirties=True, least=0
    )
    overlap_chars: int = setting(
        100,
        "What a chunk repeats of the one before, in whole lines.",
        unit="characters",
        dirties=True,
        least=0,
    )
    max_parse_bytes: int = setting(
        524_288, "Larger files are cut as prose, not parsed.", unit="bytes", dirties=True, least=0
    )
    max_line_chars: int = setting(
        500,
        "Files with a longer average line are cut as prose.",
        unit="characters",
        dirties=True,
        least=1,
    )
    parse_deadline_s: float = setting(
        1.0,
        "A parse that takes more processor time falls back to prose.",
        unit="seconds",
        dirties=True,
        least=0,
    )


@dataclass(frozen=True, slots=True)
class EmbedSettings:
    """What makes vectors."""

    model: str = setting("static-256", "Embedding model; `none` indexes words only.", dirties=True)
    window_chars: int = setting(
        600,
        "Chunks are embedded in windows of this size.",
        unit="characters",
        dirties=True,
        least=50,
    )
    window_overlap_chars: int = setting(
        80, "What a window repeats of the one before.", unit="characters", dirties=True, least=0
    )
    words_only_languages: tuple[str, ...] = setting(
        ("gettext",), "Languages found by their words alone, without vectors.", dirties=True
    )


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """How work is done."""

    workers: int = setting(0, "Parser processes; 0 means one fewer than the cores.", least=0)
    file_deadline_s: float = setting(
        30.0, "A file that takes longer costs it an attempt.", unit="seconds", least=1
    )
    max_attempts: int = setting(3, "Attempts before a file counts as failed.", least=1)
    retry_delay_s: float = setting(
        30.0, "Wait before a second attempt; doubled for each further one.", unit="seconds", least=0
    )
    batch_files: int = setting(256, "Most files published together.", unit="files", least=1)
    batch_windows: int = setting(4_096, "Most vectors published together.", unit="vectors", least=1)
    batch_seconds: float = setting(
        1.0, "Longest a finished file waits to be published.", unit="seconds", least=0
    )
    sweep_budget_s: float = setting(
        2.0, "Longest one clean-up may take before it goes on next time.", unit="seconds", least=0
    )
    removal_guard_files: int = setting(
        100,
        "From this many files on, a scan that would remove more than half asks first.",
        unit="files",
        least=0,
    )


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How questions are answered."""

    results: int = setting(10, "Hits shown.", least=1)
    candidates: int = setting(100, "Candidates each leg brings.", least=1)
    rank_constant: int = setting(60, "k of reciprocal rank fusion.", least=1)
    words_weight: float = setting(1.0, "Weight of the words leg in fusion.", least=0)
    vectors_weight: float = setting(1.0, "Weight of the vectors leg in fusion.", least=0)
    common_term_share: float = setting(
        0.10, "Words in more than this share of chunks are dropped while others remain.", least=0
    )
    one_per_file: bool = setting(True, "One hit per file, with the places of its other matches.")
    coherence: bool = setting(True, "Let one file's chunks support each other.")
    definition_prior: bool = setting(True, "Prefer the definition of a name the question spells.")
    frame_prior: bool = setting(True, "Prefer the places that a stack trace names.")
    stem_prior: bool = setting(True, "Prefer files named after a word of the question.")
    path_class_prior: bool = setting(
        True, "Rank tests, examples, vendored and generated files lower unless asked for."
    )
    context_blocks: int = setting(6, "Most blocks in a context.", least=1)
    context_chars: int = setting(12_000, "Most text in a context.", unit="characters", least=100)
    block_chars: int = setting(
        3_000,
        "A hit grows to its enclosing definition up to this size.",
        unit="characters",
        least=100,
    )
    resident_vectors: int = setting(
        400_000, "Up to this many vectors are searched in memory.", unit="vectors", least=0
    )


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """How the first candidates are read once more, together with the question."""

    model: str = setting(
        "minilm-384",
        "What reads them: a model of `scrubjay models`, a folder with an ONNX cross-encoder,"
        " `http`, or `none`.",
    )
    candidates: int = setting(30, "Candidates that are read.", least=1)
    deadline_s: float = setting(
        1.5,
        "After this long the order stands as retrieval made it, and the answer says so.",
        unit="seconds",
        least=0,
    )
    threads: int = setting(
        0, "Threads of a model that runs here; 0 means all cores, at most 4.", least=0
    )
    idle_s: float = setting(
        300.0, "A model that nobody asks is unloaded after this long.", unit="seconds", least=0
    )
    cache_mb: int = setting(
        64, "Most memory for what was read of candidates before.", unit="megabytes", least=0
    )
    threshold: float = setting(
        -1.0,
        "Hits less probable than this are near misses, 0 shows all; -1 takes what was measured for"
        " the model.",
        least=-1,
    )
    url: str = setting(
        "", "With `http`: the address of a rerank endpoint, e.g. http://host/rerank."
    )
    shape: str = setting(
        "cohere", "With `http`: the endpoint's dialect: `cohere`, `jina` or `tei`."
    )
    url_model: str = setting("", "With `http`: the model's name, where the endpoint wants one.")
    key_variable: str = setting(
        "", "With `http`: the environment variable that holds the endpoint's key."
    )
