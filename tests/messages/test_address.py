"""How people are addressed: formally, in every sentence of the languages that tell the two apart."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

import pytest

FAMILIAR: Final = {
    "hu": r"\b(?:javítsd|töröld|írj|írd|adj|add|mentsd|hagyd|hagyj|indíts|indítsd|vond|sorsolj|sorsold|ellenőrizd"
    r"|cseréld|válassz|válaszd|számold|vedd|várd|várj|jelölj|nézd|próbáld|tedd|erősítsd|hívd|kérdezd|nyomtasd|vágd"
    r"|zárd|illessz|párosítsd|frissítsd|állítsd|küldd|másold|lépj|dobsz|lépsz|koppints|szabadíts|kapcsold|olvasd"
    r"|mondd|nyisd|nyomd|menj|menjetek|neked|téged|veled|neved|meccsedet|PIN-ed|\w+(?:játok|jétek|tsétek|ssátok)"
    r"|te)\b",
    "et": r"(?:^|[.;:!?] )(?:anna|kirjuta|eemalda|salvesta|jäta|alusta|võta|lisa|kontrolli|sisesta|registreeri|nimeta"
    r"|paranda|asenda|vali|oota|määra|vaata|proovi|pane|lase|pööra|ütle|peata|too|näita|käivita|täida|keera|nihuta"
    r"|sea|tõmba|hoia|tõsta|paiguta|ärata|veereta|vajuta|viska|vähenda|seadista|kinnita|kutsu|küsi|tule|prindi|lõika"
    r"|sulge|vabasta|kleebi|uuenda|säti|seo)\b|\b(?:sa|sina|sinu|sul|sind)\b",
    "sk": r"\b(?:ty|tvoj\w*|tebe|teba|napíš|vyber|skontroluj|pozri|počkaj|zavri|otvor|stlač|polož|daj)\b",
}
"""The familiar forms of what people are asked to do, and of who they are."""
WORDS: Final = ("controller.messages", "{}.toml"), ("controller.analysis.lessons.words", "{}.toml")


def sentences(entries: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """All texts that are sentences; labels of buttons are what people tell the program."""
    for name, entry in entries.items():
        if isinstance(entry, Mapping):
            yield from sentences(entry, f"{path}{name}.")
        elif isinstance(entry, str) and entry.endswith((".", "!", "?")):
            yield f"{path}{name}", entry


@pytest.mark.parametrize("language", FAMILIAR)
def test_nobody_is_addressed_formally_here_and_familiarly_there(language: str) -> None:
    familiar = re.compile(FAMILIAR[language], re.IGNORECASE)
    found = [
        f"{path}: {text}"
        for package, name in WORDS
        for path, text in sentences(
            tomllib.loads(files(package).joinpath(name.format(language)).read_text(encoding="utf-8"))
        )
        if familiar.search(text)
    ]
    assert found == []
