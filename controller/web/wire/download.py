"""What a browser calls a file that it keeps."""

import re
from urllib.parse import quote


def kept_as(name: str) -> dict[str, str]:
    """The header by which a browser keeps an answer as a file of this name.

    Several files that are fetched one after the other must differ in it, or nobody can tell them apart in the folder
    of downloads. Letters that a header cannot hold go in beside a plain name for old browsers.
    """
    plain = re.sub(r"[^ !#-.0-\[\]-~]", "_", name)
    also = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": f'attachment; filename="{plain}"{also}'}
