"""What does `scrubjay models test` try, and what does it say of it?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from scrubjay.cli.output import Output
from scrubjay.cli.wording import sized
from scrubjay.errors import ScrubjayError, UsageError

if TYPE_CHECKING:
    from scrubjay.models.probe import Probe
    from scrubjay.settings import Settings

T = TypeVar("T")

ROLES = {"embedder": "embed.model", "reranker": "rerank.model"}
"""What a model can be used as, and the setting that names it."""
SICK_CODE = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """A model, or what stands in its place in the settings, and what it is used as."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a probe came out: what it found, or the error that ended it."""

    choice: Choice
    probe: Probe | None
    problems: tuple[str, ...] = ()
    hint: str = ""


def choices_of(name: str, role: str | None) -> list[Choice]:
    """List what a name can be used as; raises UsageError where it is nothing."""
    from scrubjay.models.catalogue import ENDPOINT, NO_MODEL, installed_models
    from scrubjay.models.hub import hub_model

    if role is not None:
        return [Choice(name, role)]
    if name == ENDPOINT or "/" in name or os.sep in name:
        return [Choice(name, "reranker")]
    uses = next((model.uses for model in installed_models() if model.name == name), ())
    if uses or name == NO_MODEL:
        return [Choice(name, use) for use in uses or ROLES]
    if hub_model(name) is not None:
        raise UsageError(f"{name} is not here yet", hint=f"`scrubjay models pull {name}`")
    raise UsageError(f"no model is called {name!r}", hint="`scrubjay models` lists them")


def the_choice(name: str, role: str | None) -> Choice:
    """Tell what a name is used as; raises UsageError where that could be either, or is nothing."""
    choices = choices_of(name, role)
    if len(choices) > 1:
        hint = "say --as embedder or --as reranker"
        raise UsageError(f"{name} can stand for an embedder and for a reranker", hint=hint)
    return choices[0]


def in_use(settings: Settings) -> list[Choice]:
    """List what the settings name, but for `none`."""
    from scrubjay.models.catalogue import NO_MODEL

    named = (Choice(settings.embed.model, "embedder"), Choice(settings.rerank.model, "reranker"))
    return [choice for choice in named if choice.name != NO_MODEL]


def show_probes(output: Output, settings: Settings, choices: Sequence[Choice]) -> int:
    """Try models and tell how each came out; returns the exit code."""
    attempts = []
    for choice in choices:
        attempt = _attempt(settings, choice)
        attempts.append(attempt)
        if not output.is_json:
            _show(output, attempt)
    is_sick = any(attempt.problems for attempt in attempts)
    if output.is_json:
        output.json({"ok": not is_sick, "attempts": attempts})
    elif not attempts:
        output.line("No model is in use.")
    return SICK_CODE if is_sick else 0


def _attempt(settings: Settings, choice: Choice) -> Attempt:
    from scrubjay.models.catalogue import load_embedder, load_reranker
    from scrubjay.models.probe import probe_embedder, probe_reranker

    try:
        if choice.role == "embedder":
            embed = replace(settings.embed, model=choice.name)
            probe = probe_embedder(choice.name, lambda: _present(load_embedder(embed)))
        else:
            rerank = replace(settings.rerank, model=choice.name)
            probe = probe_reranker(choice.name, lambda: _present(load_reranker(rerank)))
    except ScrubjayError as error:
        return Attempt(choice, None, (error.message,), error.hint)
    return Attempt(choice, probe, probe.problems)


def _present(model: T | None) -> T:
    if model is None:
        raise UsageError("there is nothing to test", hint="`scrubjay models` lists the models")
    return model


def _show(output: Output, attempt: Attempt) -> None:
    choice = attempt.choice
    mark = output.painted("bad ", "bad") if attempt.problems else output.painted("ok  ", "good")
    output.line(f"{mark}  {output.painted(choice.name, 'strong')} as {choice.role}")
    if attempt.probe is not None:
        output.facts(_facts(attempt.probe), indent="      ")
    for problem in attempt.problems:
        output.line(f"      {problem}")
    if attempt.hint:
        output.line(f"      {attempt.hint}")


def _facts(probe: Probe) -> Iterator[tuple[str, str]]:
    """Spell what a probe found."""
    yield "first", f"{probe.first_s * 1000:,.0f} ms from nothing to the first text's answer"
    if probe.dimension:
        yield "vectors", f"{probe.dimension} numbers each"
    rate = f"{probe.texts / probe.work_s:,.0f} texts a second" if probe.work_s > 0 else ""
    if probe.role == "embedder":
        yield "speed", rate
    else:
        yield "speed", f"{probe.texts} candidates in {probe.work_s * 1000:,.0f} ms ({rate})"
    if probe.again_s is not None:
        yield "again", f"the same candidates in {probe.again_s * 1000:,.0f} ms"
    yield "sense", f"{probe.right_first} of {probe.asked} questions find their passage first"
    if probe.memory_bytes is not None:
        yield "memory", f"{sized(probe.memory_bytes)} at most, of this whole process"
