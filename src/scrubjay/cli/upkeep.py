"""`scrubjay verify`, `repair`, `compact`, `migrate`, `delete`: keeping an index sound and small."""

from __future__ import annotations

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.plain import make_plain
from scrubjay.cli.wording import many, sized
from scrubjay.errors import Cancelled, StoreError, UsageError

UNSOUND_CODE = StoreError.exit_code


@click.command("verify", epilog="\b\nExit codes: 0 sound, 6 something is broken.")
@index_options
def verify_command(output: Output, where: Where) -> int:
    """Check that the index is sound: every promise of docs/consistency.md, on every row."""
    violations = where.open().verify()
    if output.is_json:
        output.json({"violations": violations})
    elif not violations:
        output.line(output.painted("The index is sound.", "good"))
    for violation in () if output.is_json else violations:
        output.line(f"{output.painted(violation.invariant, 'bad')}  {violation.message}")
    if violations and not output.is_json:
        output.aside("`scrubjay repair` mends it; the next `scrubjay index` does what is left.")
    return UNSOUND_CODE if violations else 0


@click.command("repair", epilog="\b\nExample:\n  scrubjay repair && scrubjay index")
@index_options
def repair_command(output: Output, where: Where) -> int:
    """Mend what can be mended without loss; the next run indexes again what needs it."""
    done = make_plain(where.open().repair())
    assert isinstance(done, dict)
    if output.is_json:
        output.json(done)
        return 0
    rows = [(name.replace("_", " "), value) for name, value in done.items()]
    counts = [(name, value) for name, value in rows if isinstance(value, int) and value]
    output.facts([(name, f"{value:,}") for name, value in counts], "")
    if not counts and not done.get("left"):
        output.line("Nothing needed mending.")
    left = done.get("left") or []
    assert isinstance(left, list)
    for violation in left:
        if isinstance(violation, dict):
            output.line(f"{violation['invariant']}  {violation['message']}")
    if left:
        output.aside("What is left needs `scrubjay migrate --reset`, then `scrubjay index`.")
    return UNSOUND_CODE if left else 0


@click.command("compact", epilog="\b\nExample:\n  scrubjay compact")
@index_options
def compact_command(output: Output, where: Where) -> int:
    """Remove what is no longer used and give its space back."""
    gained = where.open().compact()
    if output.is_json:
        output.json({"gained_bytes": gained})
    else:
        output.line(f"{sized(gained)} gained." if gained > 0 else "There was nothing to gain.")
    return 0


@click.command("migrate", epilog="\b\nExample:\n  scrubjay migrate --reset && scrubjay index")
@click.option("--reset", is_flag=True, help="Empty the index; settings and roots are kept.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@index_options
def migrate_command(output: Output, where: Where, reset: bool, yes: bool) -> int:
    """Bring the index to the newest layout; --reset starts afresh with its settings and roots."""
    workspace = where.open()
    if reset:
        _confirm(output, f"Empty the index in {workspace.folder}?", is_sure=yes)
    steps = workspace.migrate(reset=reset)
    if output.is_json:
        output.json({"steps": steps, "reset": reset})
    elif reset:
        output.line("The index is empty; `scrubjay index` fills it again.")
    else:
        output.line(f"{many(steps, 'step')} taken." if steps else "The layout is the newest one.")
    return 0


@click.command("delete", epilog="\b\nExample:\n  scrubjay delete --in ~/code/app --yes")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@index_options
def delete_command(output: Output, where: Where, yes: bool) -> int:
    """Delete the index of a folder and its settings; the folder itself is not touched."""
    from scrubjay.app import Workspace

    folder = where.require()
    _confirm(output, f"Delete the index in {folder}?", is_sure=yes)
    is_empty = Workspace(folder).delete()
    if output.is_json:
        output.json({"deleted": str(folder)})
    else:
        output.line(f"Deleted {folder}" + ("." if is_empty else "; files of others stay there."))
    return 0


def _confirm(output: Output, question: str, *, is_sure: bool) -> None:
    """Make sure that a person wants this; raises UsageError where nobody can be asked.

    Raises Cancelled if the answer is no.
    """
    if is_sure:
        return
    if not output.can_ask():
        raise UsageError("this needs to be confirmed", hint="--yes confirms it")
    if not click.confirm(question, err=True):
        raise Cancelled("nothing was changed")
