"""All kinds of scenes, by their headings."""

from typing import Final

from tests.scenes.cheating import CHEATING
from tests.scenes.further import FURTHER_CHEATING, FURTHER_HONEST
from tests.scenes.handling import CHEATING_HANDS, HONEST_HANDS
from tests.scenes.honest import HONEST
from tests.scenes.kinds import Group, Kind

HONEST_GROUPS: Final = {"honest": HONEST, "further honest": FURTHER_HONEST, "honest hands": HONEST_HANDS}
CHEATING_GROUPS: Final = {
    "cheats": CHEATING,
    "further cheats": FURTHER_CHEATING,
    "hands that cheat": CHEATING_HANDS,
}
GROUPS: Final[dict[str, Group]] = {**HONEST_GROUPS, **CHEATING_GROUPS}
KINDS: Final[dict[str, Kind]] = {
    name: kind for group in GROUPS.values() for name, kind in group.kinds.items()
}
