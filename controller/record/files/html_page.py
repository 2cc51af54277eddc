"""HTML pages from templates that lie beside the modules which fill them in."""

import base64
import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING

from controller.record.files.match_text import one_line

if TYPE_CHECKING:
    from jinja2 import Environment


def html_page(package: str, template: str, **values: object) -> str:
    """Fill in a template of a package, such as `controller.record.files` and `scoresheet.html`.

    Every text is put on one line without control characters and escaped, but for those that are `Markup` already.
    """
    return _environment(package).get_template(template).render(values)


def script_hash(text: str) -> str:
    """How a page's own policy names a script or a style in it, so that no other one is obeyed."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def safe_json(value: object) -> str:
    """A value as JSON that can stand in a script of a page: nothing in it ends the script."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def _environment(package: str) -> "Environment":
    """Jinja2 for the templates of a package. It is loaded here because only commands that write pages need it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _clean(value: object) -> object:
    return value if hasattr(value, "__html__") else one_line(str(value))
