"""`scrubjay eval`: how well are questions to this repository answered, and what would help?"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from scrubjay.cli.evaluation import as_json, commands_of, show_evaluation
from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.wording import many
from scrubjay.errors import ScrubjayError

if TYPE_CHECKING:
    from scrubjay.measure.evaluate import Tell
    from scrubjay.measure.questions import Question

QUESTIONS = 150
LINE_INTERVAL_S = 5.0
"""Between two lines where nobody watches a terminal."""

EPILOG = """\b
Examples:
  scrubjay eval                                 the newest 150 fit commits of this repository
  scrubjay eval ~/code/app --since 2024-01-01
  scrubjay eval --save mine.jsonl               keep the questions, to ask the same ones again
  scrubjay eval --set mine.jsonl --fast         ... without the second stage

\b
Changes nothing: suggestions are commands to run. docs/eval.md says what the figures mean.
Exit codes: 0 measured, 2 no questions can be had.
"""


class Chosen(TypedDict):
    """The options of `scrubjay eval`."""

    count: int
    since: datetime | None
    questions: Path | None
    save: Path | None
    fast: bool


@click.command("eval", epilog=EPILOG)
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "--questions",
    "count",
    type=click.IntRange(1),
    default=QUESTIONS,
    show_default=True,
    metavar="N",
    help="Ask so many at most.",
)
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="No older commits."
)
@click.option(
    "--set",
    "questions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Questions of your own: JSON lines of query and relevant, a list of paths.",
)
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the questions down."
)
@click.option("--fast", is_flag=True, help="Do not read the first candidates once more.")
@index_options
def eval_command(output: Output, where: Where, path: Path | None, **chosen: Unpack[Chosen]) -> int:
    """Measure how well questions are answered here, and suggest settings that answer better.

    The subjects of commits are the questions, the one to four source files each changed the
    answers. PATH lies in the repository; without it the current folder does.
    """
    from scrubjay.measure.evaluate import MEASURED, Request, evaluate

    folder = path or where.folder
    if where.workspace is None and where.folder == Path():
        where = replace(where, folder=folder)
    settings, since = where.open().settings, chosen["since"]
    request = Request(
        folder=folder,
        search=settings.search,
        rerank=settings.rerank,
        count=chosen["count"],
        since=None if since is None else since.strftime("%Y-%m-%d"),
        questions=chosen["questions"],
    )
    with (
        where.open(MEASURED).searchable(fast=chosen["fast"]) as index,
        telling(output) as tell,
    ):
        evaluation = evaluate(request, index, tell)
    if chosen["save"] is not None:
        _save(chosen["save"], evaluation.set.questions)
    commands = list(commands_of(evaluation, where))
    if output.is_json:
        output.json(as_json(evaluation, commands))
    else:
        show_evaluation(output, evaluation, commands)
    return 0


def _save(file: Path, questions: Iterable[Question]) -> None:
    from scrubjay.measure.questions import set_lines

    try:
        file.write_text("".join(set_lines(questions)), "utf-8", newline="\n")
    except OSError as error:
        raise ScrubjayError(f"{file} cannot be written: {error.strerror}") from error


@contextmanager
def telling(output: Output) -> Iterator[Tell]:
    """Tell how far it is: on a line that is drawn over on a terminal, now and then elsewhere."""
    is_drawn = output.is_terminal(sys.stderr)
    last = time.monotonic()

    def tell(doing: str, done: int, total: int) -> None:
        nonlocal last
        line = f"{doing}: {done:,} of {many(total, 'question')}"
        if is_drawn:
            sys.stderr.write(f"\r{line}\x1b[K")
            sys.stderr.flush()
        elif time.monotonic() - last >= LINE_INTERVAL_S:
            last = time.monotonic()
            output.aside(line)

    try:
        yield tell
    finally:
        if is_drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
