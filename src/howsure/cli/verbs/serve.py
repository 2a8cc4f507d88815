"""serve: the calculator in the browser, on this machine only."""

from __future__ import annotations

import click

from howsure.errors import need_extra
from howsure.errors.messages import cli as messages


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port; 0 for a free one.")
@click.option("--name", "names", multiple=True, help="Another name that the server answers to; repeat it for more.")
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
def serve(host: str, port: int, names: tuple[str, ...], no_browser: bool) -> None:
    """Open the calculator: intervals, comparisons, the Bayes test and the planner on a local page."""
    try:
        from howsure.web import serving
    except ImportError as error:
        raise need_extra(error.name or "fastapi", "web", messages.THE_CALCULATOR()) from None
    warning = serving.check_host(host, names)
    if warning:
        click.echo(f"warning: {warning}", err=True)
    door = serving.listening(host, port)
    click.echo(f"howsure is at {serving.address_of(door)} (stop with Ctrl+C)", err=True)
    serving.serve(door, host=host, names=names, opened=not no_browser)
