"""``genint completion``: what makes a shell complete commands, options and file names."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

_VARIABLE: Final = "_GENINT_COMPLETE"
"""Set by the scripts when they ask the program for completions; click derives its name."""
_SHELLS: Final[dict[str, type[ShellComplete]]] = {
    "bash": BashComplete,
    "zsh": ZshComplete,
    "fish": FishComplete,
}


@click.command()
@click.argument("shell", type=click.Choice(list(_SHELLS)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands and options.

    \b
    bash:  genint completion bash > ~/.local/share/bash-completion/completions/genint
    zsh:   genint completion zsh > "${fpath[1]}/_genint"
    fish:  genint completion fish > ~/.config/fish/completions/genint.fish

    Or for this terminal alone:  eval "$(genint completion bash)"
    """  # noqa: D301 - click reads the control character
    made = _SHELLS[shell](ctx.find_root().command, {}, "genint", _VARIABLE)
    # Not source(): that of bash starts one to see how old it is.
    click.echo(made.source_template % made.source_vars())
