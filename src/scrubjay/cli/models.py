"""`scrubjay models`: which models are installed, and which one is in use."""

from __future__ import annotations

import click

from scrubjay.cli.options import Where, index_options
from scrubjay.cli.output import Output
from scrubjay.cli.plain import make_plain
from scrubjay.cli.wording import sized


@click.command("models", epilog="\b\nExample:\n  scrubjay config set embed.model none")
@index_options
def models_command(output: Output, where: Where) -> int:
    """List the embedding models that need no download; `*` marks the one in use."""
    from scrubjay.models.catalogue import installed_models
    from scrubjay.settings import FILE_NAME, load_settings, user_settings_file

    folder = where.find()
    chosen = load_settings(user_settings_file(), folder and folder / FILE_NAME).embed.model
    models = installed_models()
    if output.is_json:
        output.json({"in_use": chosen, "models": make_plain(models)})
        return 0
    for model in models:
        mark = output.painted("*", "good") if model.name == chosen else " "
        facts = f"{model.kind}, {model.dimension} dimensions, {sized(model.size_bytes)}"
        output.line(f"{mark} {output.painted(model.name, 'strong')}  {facts}, {model.licence}")
        output.line(f"    {model.limits}")
    mark = output.painted("*", "good") if chosen == "none" else " "
    output.line(f"{mark} {output.painted('none', 'strong')}  words only")
    return 0
