"""What the site needs beside the pages: those that lie elsewhere in the project, and links that fit the site.

`mkdocs` calls these functions; see ``mkdocs.yml``.
"""

import posixpath
import re
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = "hardware_docs"
ELSEWHERE: Final = {
    "README.md": "front.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "firmware/README.md": "firmware.md",
    "LICENSE": "LICENSE",
}
"""Files outside the folder of the pages, and what they are called on the site."""
LINK: Final = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)")
ITEM: Final = re.compile(r"((?:[-*]|\d+\.) +)\S")
DEPTH: Final = 4


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from elsewhere."""
    from mkdocs.structure.files import File  # the extra `docs` has it

    for source, name in ELSEWHERE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        if name.endswith(".md"):
            text = with_links(text, source)
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point the links of a page to where things lie on the site."""
    name = page.file.src_uri
    text = markdown if name in ELSEWHERE.values() else with_links(markdown, f"{PAGES}/{name}")
    return deepened(text)


def with_links(text: str, source: str) -> str:
    """The text of the file ``source`` with its links as they are on the site."""

    def on_the_site(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[1]))
        return f"]({ELSEWHERE.get(target, target.removeprefix(f'{PAGES}/'))}"

    return LINK.sub(on_the_site, text)


def deepened(text: str) -> str:
    """Lists as Python-Markdown takes them: a blank line in front, and what belongs to an item four blanks deep."""
    lines, width, fenced = list[str](), 0, False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        item = None if fenced else ITEM.match(line)
        if item:
            if not width and lines and lines[-1]:
                lines.append("")
            width = len(item[1])
            lines.append(line)
        elif width and line.startswith(" " * width):
            lines.append(" " * DEPTH + line[width:])
        else:
            width = 0 if line else width
            lines.append(line)
    return "\n".join(lines)
