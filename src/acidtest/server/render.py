"""Pages from templates: one environment with the report's, so that a run looks the same in both."""

import functools
import hashlib
from http import HTTPStatus
from pathlib import Path
from typing import Any

from jinja2 import Environment
from litestar import Request, Response

from acidtest.report.html import environment
from acidtest.server.guard import SESSION
from acidtest.server.site import Site

_HERE = Path(__file__).parent
TEMPLATES = _HERE / "templates"
STATIC = _HERE / "static"

AnyRequest = Request[Any, Any, Any]


def site_of(request: AnyRequest) -> Site:
    """Return what the handlers of this server share."""
    site: Site = request.app.state.site
    return site


def page(
    request: AnyRequest, template: str, *, status: int = HTTPStatus.OK, **shown: Any
) -> Response[str]:
    """Return a page.

    Args:
        request: Whose page it is.
        template: In `server/templates`; it extends `site.html.j2`.
        status: HTTP's.
        shown: What the template shows; `title` is needed.
    """
    site = site_of(request)
    session = request.scope[SESSION]  # type: ignore[literal-required]
    text = (
        _environment()
        .get_template(template)
        .render(
            **shown,
            path=request.scope["path"],
            menu=request.app.state.menu,
            signed_in=session.signed_in,
            form_token=site.signer.form_token(session),
            asset=asset_url,
        )
    )
    return Response(text, media_type="text/html", status_code=status)


def asset_url(name: str) -> str:
    """Return the address of a style or script: another one when its text changes."""
    _, digest = asset(name)
    return f"/static/{name}?v={digest}"


@functools.cache
def asset(name: str) -> tuple[bytes, str]:
    """Return a style or script of the server, or of the report, with the beginning of its hash.

    Raises:
        KeyError: There is none of that name.
    """
    from acidtest.report import html

    for folder in (STATIC, Path(html.__file__).with_name("templates")):
        file = folder / name
        if file.suffix in (".css", ".js") and "/" not in name and file.is_file():
            body = file.read_bytes()
            return body, hashlib.sha256(body).hexdigest()[:12]
    raise KeyError(name)


@functools.cache
def _environment() -> Environment:
    return environment(TEMPLATES)
