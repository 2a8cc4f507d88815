"""serve: the calculator in the browser, on this machine only."""

from __future__ import annotations

import threading
import webbrowser

import click

from howsure.errors import need_extra

LOCAL = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="Port to listen on.")
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
def serve(host: str, port: int, no_browser: bool) -> None:
    """Open the calculator: intervals, comparisons, the Bayes test and the planner on a local page."""
    try:
        import uvicorn

        from howsure.web.app import application
    except ImportError as error:
        raise need_extra(error.name or "starlette", "web", "the calculator") from None
    if host not in LOCAL:
        click.echo(f"warning: {host} may be reached by others; this server has no password", err=True)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/"
    click.echo(f"howsure is at {address} (stop with Ctrl+C)", err=True)
    if not no_browser:
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    uvicorn.run(application(host=host), host=host, port=port, log_level="warning", server_header=False)
