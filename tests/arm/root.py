"""A Debian 12 for 64-bit ARM with Python and the wheels of this project, kept in ``build/arm``.

The root folder is made once and for as long as `constraints.txt`, `pyproject.toml` and this module stay as they are.
"""

import hashlib
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PLACE: Final = ROOT / "build" / "arm"
RELEASE: Final = "bookworm"
MIRROR: Final = "http://deb.debian.org/debian"
PACKAGES: Final = (
    *("python3", "python3-minimal", "libpython3-stdlib"),
    *("libstdc++6", "libgcc-s1", "zlib1g", "libgl1", "libglib2.0-0"),
)
PYTHON: Final = "3.11"
"""Of that release."""
GLIBC: Final = ("manylinux2014", *(f"manylinux_2_{minor}" for minor in (17, 24, 26, 27, 28, 31, 34)))
TESTS_NEED: Final = ("gpiozero", "hypothesis", "pytest")
TAR: Final = "root.tar"
STAMP: Final = "made"
PROCESSOR: Final = "cortex-a72"
"""That of a Raspberry Pi 4; the newest that QEMU knows takes twice as long."""


def make_root() -> bool:
    """Make the root folder unless it is there; whether it was made now.

    Raises:
        CalledProcessError: if Debian's mirror or the package index cannot be reached.
    """
    recipe = hashlib.sha256()
    for path in (ROOT / "constraints.txt", ROOT / "pyproject.toml", Path(__file__)):
        recipe.update(path.read_bytes())
    stamp = PLACE / STAMP
    if stamp.is_file() and stamp.read_text() == recipe.hexdigest():
        return False
    shutil.rmtree(PLACE, ignore_errors=True)
    (PLACE / "root").mkdir(parents=True)
    _unpack_debian()
    _unpack_wheels()
    stamp.write_text(recipe.hexdigest())
    return True


def arm_command(arguments: tuple[str, ...]) -> list[str]:
    """The command that runs the ARM Python with these arguments."""
    root = PLACE / "root"
    python = root / "usr" / "bin" / f"python{PYTHON}"
    return ["qemu-aarch64-static", "-cpu", PROCESSOR, "-L", str(root), str(python), *arguments]


def arm_environment() -> dict[str, str]:
    """What the ARM Python finds its modules by; what it compiles is kept apart from this machine's."""
    return {
        "HOME": str(PLACE),
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "PYTHONHOME": str(PLACE / "root" / "usr"),
        "PYTHONPATH": f"{PLACE / 'wheels'}:{ROOT}",
        "PYTHONPYCACHEPREFIX": str(PLACE / "compiled"),
    }


def _unpack_debian() -> None:
    """Packages are unpacked, not set up: nothing of the other processor has to run for that."""
    tar = PLACE / TAR
    include = f"--include={','.join(PACKAGES)}"
    subprocess.run(
        [
            "mmdebstrap",
            "--quiet",
            "--variant=extract",
            "--architectures=arm64",
            include,
            RELEASE,
            tar,
            MIRROR,
        ],
        check=True,
    )
    subprocess.run(
        [
            "tar",
            "--extract",
            "--file",
            tar,
            "--directory",
            PLACE / "root",
            "--exclude=./dev",
            "--no-same-owner",
        ],
        check=True,
    )
    tar.unlink()


def _unpack_wheels() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = PLACE / "downloads"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", folder]
    command += [
        "--python-version",
        PYTHON,
        "--implementation",
        "cp",
        "--constraint",
        ROOT / "constraints.txt",
    ]
    for abi in (f"cp{PYTHON.replace('.', '')}", "abi3", "none"):
        command += ["--abi", abi]
    for each in GLIBC:
        command += ["--platform", f"{each}_aarch64"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["hub"], *TESTS_NEED]
    subprocess.run([*command, *needed], check=True)
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(PLACE / "wheels")
    shutil.rmtree(folder)
