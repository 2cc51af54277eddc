"""The profiles that ship with the product, and those a club writes itself. Only this module reads files."""

import functools
from importlib.resources import files
from pathlib import Path

from controller.rules.profile.profile import Profile
from controller.rules.profile.text import ProfileError, ProfileText, join_profile_texts, parse_profile_text
from controller.tomlfile.document import near, read_text

SUFFIX = ".toml"


def profile_names() -> tuple[str, ...]:
    """The names of the profiles that ship with the product, the standard ones first."""
    names = [
        entry.name.removesuffix(SUFFIX)
        for entry in files("controller.rules.profiles").iterdir()
        if entry.name.endswith(SUFFIX)
    ]
    return tuple(sorted(names, key=lambda name: (not name.startswith("standard"), name)))


def load_profile(name_or_path: str | Path) -> Profile:
    """The profile with this name, or in this file if the argument ends in ``.toml`` or has a folder in it.

    A file inherits from a profile that ships with the product or from another file in its own folder.
    Raises ProfileError for a name that does not exist, a file that cannot be read, a mistake in it, an
    unknown parent, or profiles that inherit from each other in a circle.
    """
    asked = str(name_or_path)
    if asked in profile_names():
        return _shipped(asked)
    path = Path(asked)
    if path.suffix != SUFFIX and len(path.parts) <= 1:
        known = profile_names()
        raise ProfileError(
            f'There is no profile "{asked}"{near(asked, known)}; the profiles are {", ".join(known)}, '
            f"or give the path of a file that ends in {SUFFIX}."
        )
    return join_profile_texts(_chain(_from_path(path), path.parent))


@functools.cache
def _shipped(name: str) -> Profile:
    return join_profile_texts(_chain(_from_package(name), None))


def _chain(first: ProfileText, folder: Path | None) -> list[ProfileText]:
    chain = [first]
    while (parent := chain[-1].inherits) is not None:
        text = _parent(parent, chain[-1], folder)
        if text.document.label in {member.document.label for member in chain}:
            circle = " -> ".join([*(member.name for member in chain), text.name])
            remedy = "let one of them inherit from a profile that ships with the product"
            raise chain[-1].document.fault(
                "inherits", f"the profiles inherit in a circle ({circle}); {remedy}."
            )
        chain.append(text)
    return chain


def _parent(name: str, child: ProfileText, folder: Path | None) -> ProfileText:
    if name in profile_names():
        return _from_package(name)
    if folder is not None and (folder / f"{name}{SUFFIX}").is_file():
        return _from_path(folder / f"{name}{SUFFIX}")
    known = profile_names()
    remedy = f"take one of {', '.join(known)}, or put {name}{SUFFIX} into the same folder"
    why = f'there is no profile "{name}"{near(name, known)} to inherit from; {remedy}.'
    raise child.document.fault("inherits", why)


def _from_package(name: str) -> ProfileText:
    file_name = f"{name}{SUFFIX}"
    text = files("controller.rules.profiles").joinpath(file_name).read_text(encoding="utf-8")
    return parse_profile_text(text, name=name, label=file_name)


def _from_path(path: Path) -> ProfileText:
    text = read_text(path, ProfileError, "give the path of a profile file")
    return parse_profile_text(text, name=path.stem, label=str(path))
