"""How does an evaluation read? Its table, what it suggests, and the questions that went worst."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.cli.output import Output
from scrubjay.cli.wording import counted, lasted, many, near

if TYPE_CHECKING:
    from scrubjay.cli.options import Where
    from scrubjay.measure.evaluate import Evaluation, Expected, Group, Poor, WeightAdvice
    from scrubjay.measure.metrics import Difference
    from scrubjay.measure.threshold import ThresholdAdvice, TradeOff

TITLES = ("", "n", "nDCG@10", "95 %", "MRR", "95 %", "R@5", "R@10", "R@50")
LEAK = (
    "The files are those of now, changed by the commits that ask for them: questions that nobody"
    " has answered yet do worse."
)


def commands_of(evaluation: Evaluation, where: Where) -> Iterator[str]:
    """Write each suggestion as a command to run."""
    index = ""
    if where.workspace is not None:
        index = f"-w {shlex.quote(where.workspace)} "
    elif where.folder != Path():
        index = f"--in {shlex.quote(str(where.folder))} "
    for name, value in evaluation.weights.changes.items():
        yield f"scrubjay config set {index}{name} {_spelt(value)}"
    advice = evaluation.threshold
    if advice is not None and advice.suggested is not None:
        value = advice.suggested.threshold
        yield f"scrubjay config set {index}rerank.threshold {_spelt(value)}"


def as_json(evaluation: Evaluation, commands: Sequence[str]) -> dict[str, object]:
    """Lay an evaluation out for a program."""
    asked = evaluation.set
    return {
        "questions": len(asked.questions),
        "looked_at": asked.looked_at,
        "dropped": asked.dropped,
        "is_shallow": asked.is_shallow,
        "reranker": evaluation.reranker,
        "groups": evaluation.groups,
        "timing": evaluation.timing,
        "weights": evaluation.weights,
        "threshold": evaluation.threshold,
        "commands": commands,
        "worst": evaluation.worst,
        "notes": evaluation.notes,
    }


def show_evaluation(output: Output, evaluation: Evaluation, commands: Sequence[str]) -> None:
    """Print an evaluation for a person."""
    output.facts(_facts(evaluation), indent="")
    output.line()
    output.table([TITLES, *(_row(group) for group in evaluation.groups)])
    output.line()
    output.line(output.painted("Weights", "strong") + "  " + _on_weights(evaluation.weights))
    output.line(output.painted("Threshold", "strong") + "  " + _on_threshold(evaluation))
    if evaluation.threshold is not None:
        output.table([_TRADE_TITLES, *_trade_rows(evaluation.threshold)], indent="    ")
    for command in commands:
        output.line("  " + output.painted(command, "good"))
    output.line()
    output.line(output.painted(f"The {len(evaluation.worst)} worst", "strong"))
    for number, poor in enumerate(evaluation.worst, 1):
        _show_poor(output, number, poor)
    for note in _notes(evaluation):
        output.aside(output.painted("note:", "warn") + f" {note}")


def _facts(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    asked, timing = evaluation.set, evaluation.timing
    questions = many(len(asked.questions), "question")
    yield "Questions", f"{questions}, from {asked.looked_at:,} looked at"
    yield "Left out", counted(asked.dropped, len(asked.dropped))
    yield "Read by", evaluation.reranker or "no second stage"
    yield (
        "Time",
        f"median {timing.median_s * 1e3:.0f} ms, 95 % below {timing.p95_s * 1e3:.0f} ms a question,"
        f" {lasted(timing.total_s)} in all",
    )


def _row(group: Group) -> tuple[str, ...]:
    scores = group.scores
    return (
        group.name,
        f"{group.questions:,}",
        f"{scores.ndcg_10:.3f}",
        _interval(group.intervals["ndcg_10"]),
        f"{scores.mrr:.3f}",
        _interval(group.intervals["mrr"]),
        *(_recall(group, name) for name in ("recall_5", "recall_10", "recall_50")),
    )


def _recall(group: Group, name: str) -> str:
    value: float = getattr(group.scores, name)
    held = group.intervals.get(name)
    return f"{value:.3f}" if held is None else f"{value:.3f} {_interval(held)}"


def _interval(held: Difference) -> str:
    return f"{held.low:.2f}-{held.high:.2f}"


def _gain(gain: Difference) -> str:
    return f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"


def _on_weights(advice: WeightAdvice) -> str:
    fitted, again = advice.fitted, advice.asked_again
    if fitted is None:
        return "too few questions to say whether others are better."
    held_out = f"{_gain(fitted.gain)} nDCG@10 on questions held out"
    if again is None:
        return (
            f"Yours are as good as any of {fitted.tried} tried: the best of the others give"
            f" {held_out}."
        )
    if not advice.changes:
        return (
            f"Yours stay: others promised {held_out}, but gave {_gain(again)} when all were asked"
            " again."
        )
    return f"Better ones: {held_out}, {_gain(again)} when all were asked again."


def _on_threshold(evaluation: Evaluation) -> str:
    advice = evaluation.threshold
    if evaluation.reranker is None:
        return "there is none without a second stage."
    if advice is None:
        return "too few questions to say what another would hide."
    if advice.suggested is None:
        return f"Yours, {_spelt(advice.now.threshold)}, is as good as any tried."
    after = ", with these weights," if evaluation.weights.changes else ""
    kept = f"{advice.suggested.kept:.1%} of the right hits"
    fewer = advice.now.shown - advice.suggested.shown
    change = f"{abs(fewer):.1f} {'fewer' if fewer > 0 else 'more'} hits a question"
    return f"{_spelt(advice.suggested.threshold)}{after} keeps {kept} and shows {change}."


_TRADE_TITLES = ("threshold", "right hits kept", "hits right", "hits a question", "answers lost")


def _trade_rows(advice: ThresholdAdvice) -> Iterator[tuple[str, ...]]:
    rows = {trade.threshold: trade for trade in (*advice.trade_offs, advice.now)}
    chosen = None if advice.suggested is None else advice.suggested.threshold
    for value in sorted(rows):
        mark = "  <- now" if value == advice.now.threshold else ""
        yield _trade_row(rows[value], mark + ("  <- suggested" if value == chosen else ""))


def _trade_row(trade: TradeOff, mark: str) -> tuple[str, ...]:
    return (
        _spelt(trade.threshold),
        f"{trade.kept:.1%}",
        f"{trade.precision:.1%}",
        f"{trade.shown:.1f}",
        f"{trade.lost:.1%}{mark}",
    )


def _show_poor(output: Output, number: int, poor: Poor) -> None:
    source = output.painted(poor.source, "faint")
    output.line(f"{number:>2}. {poor.query}  {source}")
    for expected in poor.expected:
        output.line(f"      expected {_place(output, expected)} {_ranked(expected)}")
    top = poor.top
    if top is None:
        output.line("      nothing was found")
    elif (top.root, top.path) not in {(e.root, e.path) for e in poor.expected}:
        absolute = Path(top.root, top.path)
        label = output.painted(near(absolute), "path")
        lines = output.painted(f"{top.first_line}-{top.last_line}", "line")
        output.line(f"      first    {output.linked(f'{label}:{lines}', absolute)}")


def _place(output: Output, expected: Expected) -> str:
    absolute = Path(expected.root, expected.path)
    return output.linked(output.painted(near(absolute), "path"), absolute)


def _ranked(expected: Expected) -> str:
    return "not found" if expected.rank is None else f"#{expected.rank}"


def _notes(evaluation: Evaluation) -> Iterator[str]:
    yield LEAK
    if evaluation.set.is_shallow:
        yield "The clone is shallow: older commits are missing (`git fetch --unshallow`)."
    timing, count = evaluation.timing, len(evaluation.set.questions)
    if timing.overdue:
        yield (
            f"For {timing.overdue:,} of {many(count, 'question')} the second stage took longer than"
            " `rerank.deadline_s`: a search would have shown them as retrieval ordered them."
        )
    yield from evaluation.notes


def _spelt(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).lower()
