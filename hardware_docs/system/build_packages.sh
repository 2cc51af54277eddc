#!/usr/bin/env bash
# Builds the Debian packages pointsman, pointsman-hub and pointsman-wifi for one processor, on any:
#     hardware_docs/system/build_packages.sh arm64|amd64 FOLDER
# `make deb` calls it for both. Needs debhelper, and in PATH the programs of the extra `release`; fetches the wheels.
#
# One package serves Debian 12 and 13: it holds the wheels for the Python of each, and what is the same in both once.
# NumPy is the system's, because picamera2 is built on it, and OpenCV the last that runs with the NumPy of both.

set -euo pipefail
umask 022

readonly processor=$1 out=$2
readonly PYTHONS=(3.11 3.13)
readonly PROGRAM=opt/pointsman/current
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly here
readonly place=$here/build/deb/$processor
readonly system_files=$here/hardware_docs/system

case $processor in
    arm64) platform=aarch64-manylinux_2_31 ;;
    amd64) platform=x86_64-manylinux_2_31 ;;
    *) echo "build_packages.sh: there are packages for arm64 and amd64, none for $processor." >&2 && exit 2 ;;
esac

# The value of a line NAME=... or NAME='...' of install.sh, which installs the same program in another way.
of_installer() { sed -n "s/^readonly $1='\?\([^' ]*\).*/\1/p" "$here/install.sh"; }

# The product as a wheel that asks for OpenCV without windows, as install.sh has it.
build_wheel() {
    local copy=$place/source
    mkdir -p "$copy"
    tar -C "$here" --exclude=__pycache__ -cf - pyproject.toml README.md LICENSE controller calibration | tar -C "$copy" -xf -
    sed -i -E "$(of_installer WITHOUT_WINDOWS)" "$copy/pyproject.toml"
    python -m build --wheel --outdir "$place" "$copy" >"$place/build.log" 2>&1 || { cat "$place/build.log" >&2; exit 1; }
    {
        grep -v -E '^(numpy|opencv-python)==' "$here/constraints.txt"
        echo "opencv-python-headless==$(of_installer RIBBON_OPENCV)"
    } >"$place/constraints.txt"
    # NumPy is the system's. colorzero names setuptools, and uses it only where it is built.
    printf '%s; python_version < "3"\n' numpy setuptools >"$place/left-out.txt"
}

# Puts the wheels for each Python into a folder: the folder, the extras.
fetch_wheels() {
    local python
    for python in "${PYTHONS[@]}"; do
        uv pip install --quiet --no-config --python-platform "$platform" --python-version "$python" --only-binary :all: \
            --link-mode copy --target "$1/lib/python$python/site-packages" --constraint "$place/constraints.txt" \
            --override "$place/left-out.txt" "$(echo "$place"/pointsman-*.whl)[$2]" 'gpiozero>=2.0.1.post3,<3'
        rm -rf "$1/lib/python$python/site-packages"/{bin,.lock}
        # The cascades of OpenCV, 10 MB, which nothing here loads, and types for checkers.
        rm -f "$1/lib/python$python/site-packages/cv2/data"/*.xml
        find "$1/lib/python$python/site-packages/cv2" -name '*.pyi' -delete
    done
}

# What is the same for both Pythons is there once, under two names.
share_files() {
    local path twin
    (cd "$1/lib/python${PYTHONS[0]}" && find . -type f) | while read -r path; do
        twin=$1/lib/python${PYTHONS[1]}/$path
        if cmp -s "$1/lib/python${PYTHONS[0]}/$path" "$twin"; then
            ln -f "$1/lib/python${PYTHONS[0]}/$path" "$twin"
        fi
    done
}

# The hub has what the table has not.
leave_out_table() {
    local path
    (cd "$place/table/$PROGRAM" && find lib -type f) | while read -r path; do
        rm -f "$place/hub/$PROGRAM/$path"
    done
    find "$place/hub/$PROGRAM" -type d -empty -delete
}

# A virtual environment as `python3 -m venv --system-site-packages` makes it.
make_environment() {
    mkdir -p "$1/bin"
    printf 'home = /usr/bin\ninclude-system-site-packages = true\n' >"$1/pyvenv.cfg"
    ln -s /usr/bin/python3 "$1/bin/python"
    ln -s python "$1/bin/python3"
    cat >"$1/bin/pointsman" <<'PYTHON'
#!/opt/pointsman/current/bin/python
import sys

from controller.cli import main

sys.exit(main())
PYTHON
    chmod 755 "$1/bin/pointsman"
}

# The files that debhelper finds by their names.
lay_out() {
    local debian=$place/debian unit
    cp -r "$system_files/debian" "$debian"
    cp "$here/LICENSE" "$debian/copyright"
    cp -r "$system_files/wifi" "$place/wifi"
    for unit in comitup comitup-web; do
        install -D -m 644 "$system_files/wifi/$unit.service.conf" \
            "$place/wifi/usr/lib/systemd/system/$unit.service.d/pointsman.conf"
    done
    cp "$system_files/70-pointsman.rules" "$debian/pointsman.udev"
    cp "$system_files/pointsman-hub.default" "$debian/pointsman-hub.default"
    cp "$system_files/pointsman.service" "$system_files/pointsman-hub.service" "$debian/"
    cp "$system_files/pointsman-code.service" "$debian/pointsman.pointsman-code.service"
    for unit in service path; do
        cp "$system_files/pointsman-update.$unit" "$debian/pointsman.pointsman-update.$unit"
    done
    for unit in service timer; do
        cp "$system_files/pointsman-backup.$unit" "$debian/pointsman.pointsman-backup.$unit"
        cp "$system_files/pointsman-hub-backup.$unit" "$debian/pointsman-hub.pointsman-hub-backup.$unit"
    done
    install -D -m 755 "$system_files/pointsman-table" "$place/table/usr/bin/pointsman-table"
    install -D -m 755 "$system_files/pointsman-hub" "$place/hub/usr/bin/pointsman-hub"
    install -D -m 755 "$system_files/pointsman-code" "$place/table/usr/bin/pointsman-code"
    install -D -m 755 "$system_files/pointsman-update" "$place/table/usr/bin/pointsman-update"
    ln -s "/$PROGRAM/bin/pointsman" "$place/table/usr/bin/pointsman"
    cat >"$debian/changelog" <<TEXT
pointsman ($version) stable; urgency=medium

  * See $(sed -n 's/^Source = "\(.*\)"/\1/p' "$here/pyproject.toml") for what is new.

 -- $(sed -n 's/^Maintainer: //p' "$debian/control")  $(date -R -d "@$SOURCE_DATE_EPOCH")
TEXT
}

version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$here/controller/__init__.py")
# The day of the release, so that the same source gives the same package.
SOURCE_DATE_EPOCH=$(date -u -d "$(sed -n 's/^date-released: //p' "$here/CITATION.cff")" +%s)
export SOURCE_DATE_EPOCH
rm -rf "$place"
mkdir -p "$place" "$out"
build_wheel
fetch_wheels "$place/table/$PROGRAM" bluetooth
fetch_wheels "$place/hub/$PROGRAM" bluetooth,hub,nats
share_files "$place/table/$PROGRAM"
leave_out_table
share_files "$place/hub/$PROGRAM"
make_environment "$place/table/$PROGRAM"
lay_out
(cd "$place" && dpkg-buildpackage --host-arch="$processor" --build=binary --no-sign --no-check-builddeps >build.log 2>&1) ||
    { tail -20 "$place/build.log" >&2; exit 1; }
cp "$place/../pointsman"*"_${version}_$processor.deb" "$place/../pointsman-wifi_${version}_all.deb" "$out/"
