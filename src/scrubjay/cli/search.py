"""`scrubjay search` and `scrubjay context`: questions, and answers as a person reads them."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.preview import Line, clipped, make_preview, pattern_of
from scrubjay.cli.wording import many, near

if TYPE_CHECKING:
    from scrubjay.types import Filters, Hit, SearchReport

NOTHING_FOUND_CODE = 1
"""As grep does."""
MORE_SHOWN = 5
WIDE = 200
"""Characters of a line that are shown where no terminal sets a width."""

EPILOG = """\b
Examples:
  scrubjay search where are uploads validated
  scrubjay search -n 3 --lang python --not-path 'tests/' parse_header
  scrubjay search --json "retry with backoff" | jq -r '.hits[].path'
  pytest 2>&1 | tail -30 | scrubjay search -

Exit codes: 0 found, 1 nothing found.
"""
CONTEXT_EPILOG = """\b
Example:
  scrubjay context how are uploads validated | llm "answer from these sources"

Exit codes: 0 found, 1 nothing found.
"""


QUESTION = (
    click.argument("question", nargs=-1, required=True),
    click.option("-n", "--results", type=click.IntRange(1), metavar="N", help="Show so many hits."),
    click.option("--path", "paths", multiple=True, metavar="GLOB", help="Only files that match."),
    click.option("--not-path", "excluded", multiple=True, metavar="GLOB", help="No such files."),
    click.option("--lang", "languages", multiple=True, metavar="NAME", help="Only this language."),
    click.option("--root", "roots", multiple=True, metavar="PATH", help="Only below this root."),
    click.option("--words-only", is_flag=True, help="Look for words, not for meaning."),
    click.option("--fast", is_flag=True, help="Do not read the first candidates once more."),
    click.option(
        "--threshold",
        type=click.FloatRange(0, 1),
        metavar="P",
        help="Hits less probable than this are near misses; 0 shows all.",
    ),
)


def question_options(function: Callable[..., int]) -> Callable[..., int | None]:
    """Add the question, the filters and the options that choose an index."""

    @index_options
    @wraps(function)
    def asking(output: Output, where: Where, /, question: tuple[str, ...], **rest: Any) -> int:
        from scrubjay.types import Filters

        names = ("paths", "excluded", "languages", "roots")
        filters = Filters(**{name: rest.pop(name) for name in names})
        chosen = {
            "search.results": rest.pop("results"),
            "rerank.threshold": rest.pop("threshold"),
        }
        overrides = {name: value for name, value in chosen.items() if value is not None}
        asked = sys.stdin.read() if question == ("-",) else " ".join(question)
        return function(output, where.open(overrides), asked, filters, **rest)

    decorated = asking
    for add in reversed(QUESTION):
        decorated = add(decorated)
    return decorated


@click.command("search", epilog=EPILOG)
@question_options
@click.option("--explain", is_flag=True, help="Show how each score came about, and the time taken.")
def search_command(
    output: Output, workspace: Any, question: str, filters: Filters, *, explain: bool, **how: bool
) -> int:
    """Find the places that answer a question, by meaning and by words.

    A question may be an error message with its stack trace; `-` reads it from standard input.
    GLOBs are like lines of a .gitignore, against the path below the root; all filters may be
    repeated.
    """
    report = workspace.search(question, filters, **how)
    if output.is_json:
        output.json(report)
    else:
        _show(output, report, explain=explain)
    return 0 if report.hits else NOTHING_FOUND_CODE


@click.command("context", epilog=CONTEXT_EPILOG)
@question_options
def context_command(
    output: Output, workspace: Any, question: str, filters: Filters, **how: bool
) -> int:
    """Print labelled pieces of source that a question needs, ready for a prompt."""
    from scrubjay.search.pack import render_context

    report, blocks = workspace.context(question, filters, **how)
    if output.is_json:
        output.json({"question": report.question, "blocks": blocks, "notes": report.notes})
    else:
        output.line(render_context(blocks).rstrip("\n"))
        _show_notes(output, report)
    return 0 if blocks else NOTHING_FOUND_CODE


def _show(output: Output, report: SearchReport, *, explain: bool) -> None:
    pattern = pattern_of(report.question)
    for number, hit in enumerate(report.hits, 1):
        _show_hit(output, number, hit, pattern)
        if explain:
            output.line("    " + output.painted(_reasons(hit), "faint"))
        output.line()
    if not report.hits:
        output.aside("Nothing found.")
    if report.near_misses and not report.hits:
        output.aside(f"Near misses, less probable than {report.threshold:.2f}:")
        for number, hit in enumerate(report.near_misses, 1):
            _show_hit(output, number, hit, pattern)
    if explain:
        for stage in report.stages:
            took = f"{stage.seconds * 1000:.1f} ms"
            output.line(f"{stage.name:10} {took:>10}  {many(stage.count, 'candidate')}")
    _show_notes(output, report)


def _show_hit(output: Output, number: int, hit: Hit, pattern: re.Pattern[str] | None) -> None:
    absolute = Path(hit.root, hit.path)
    label = output.painted(near(absolute), "path")
    place = f"{hit.span.first_line}-{hit.span.last_line}"
    where = output.linked(f"{label}:{output.painted(place, 'line')}", absolute)
    scope = " > ".join(hit.scope)
    facts = "  ".join(filter(None, (f"{hit.score:.2f}", scope)))
    output.line(f"{number:>2}. {where}  {output.painted(facts, 'faint')}")
    if hit.stale:
        output.line("    " + output.painted(hit.stale, "warn"))
    for line in make_preview(hit.text, hit.span.first_line, pattern):
        output.line(_numbered(output, clipped(line, _width() - 10)))
    if hit.more:
        places = [f"{span.first_line}-{span.last_line}" for span in hit.more[:MORE_SHOWN]]
        others = len(hit.more) - len(places)
        rest = f" and {others} more" if others else ""
        output.line("    " + output.painted(f"also {', '.join(places)}{rest}", "faint"))


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE


def _numbered(output: Output, line: Line) -> str:
    """Lay out one line of a preview, the question's words marked."""
    pieces, done = [], 0
    for start, end in line.marks:
        pieces += [line.text[done:start], output.painted(line.text[start:end], "match")]
        done = end
    text = "".join([*pieces, line.text[done:]])
    return f"  {output.painted(f'{line.number:>6}', 'line')}  {text}"


def _reasons(hit: Hit) -> str:
    """Write where a score comes from: `words #1 +1.00 (5.12)` is rank, what it added, raw value."""
    parts = []
    for reason in hit.contributions:
        rank = f" #{reason.rank}" if reason.rank is not None else ""
        raw = f" ({reason.raw:.3g})" if reason.raw is not None else ""
        parts.append(f"{reason.name}{rank} {reason.value:+.2f}{raw}")
    return " · ".join(parts)


def _show_notes(output: Output, report: SearchReport) -> None:
    for note in (*report.notes, *_gaps(report)):
        output.aside(output.painted("note:", "warn", sys.stderr) + f" {note}")


def _gaps(report: SearchReport) -> Iterator[str]:
    """Say what the answer could not see."""
    if report.hits and report.near_misses:
        best = report.near_misses[0].score
        yield (
            f"less probable hits are left out, the best has {best:.2f}; --threshold 0 shows them."
        )
    coverage = report.coverage
    if coverage is None:
        return
    if coverage.dirty:
        yield f"{coverage.dirty:,} of {many(coverage.files, 'file')} wait to be indexed."
    if coverage.failed:
        yield f"{many(coverage.failed, 'file')} could not be indexed; see `scrubjay failures`."
    if coverage.last_complete_at is None:
        yield "No run has come to its end yet: files may be missing."
