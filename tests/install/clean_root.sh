#!/usr/bin/env bash
# Installs Pointsman into a clean Debian that is made for it, twice, with a hub that a table joins, looks at what is
# there, and takes it away again.
#     sudo tests/install/clean_root.sh trixie|bookworm [--ribbon]
# Needs mmdebstrap, the network, root, and 4 GB in TMPDIR; leaves nothing behind. `make test-install` does both.
# With --ribbon a stub stands for picamera2, which only Raspberry Pi OS has.

set -euo pipefail

suite=$1 way=("${@:2}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(mktemp -d)
packages_of_system=systemd,udev,sudo,ca-certificates
. "$here/tests/install/clean_system.sh"

clean_up() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap clean_up EXIT

step() { printf '\n== %s: %s\n' "$suite${way:+ ${way[0]}}" "$*"; }

fail() {
    printf 'clean_root.sh: %s\n' "$*" >&2
    exit 1
}

# The same where nobody else uses a port.
in_quiet_network() {
    unshare --net sh -c 'ip link set lo up && exec "$@"' sh chroot "$root" /usr/bin/env -i \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 USER=root "$@"
}

# What a package brings that changes nothing here, so that two lists of files can be compared.
list_files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./src -o -path ./var/cache -o -path ./var/lib/apt \
        -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./root -o -path ./usr -o -path ./run \) -prune -o -print |
        grep -v -E '^\./etc/(ld\.so\.cache|passwd-?|group-?|g?shadow-?|sub[ug]id-?)$' | sort)
}

step 'a clean system'
make_system
mount -t proc proc "$root/proc"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
groupadd --root "$root" --system gpio
groupadd --root "$root" --system spi
mkdir "$root/src"
(cd "$here" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf -) | tar -C "$root/src" -xf -
if [ "${#way[@]}" != 0 ]; then
    # It is what it is for pip and apt: a package of the system that was built on the system's NumPy.
    inside apt-get update -qq
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-numpy >/dev/null
    mkdir -p "$root/stub/DEBIAN" "$root/stub/usr/lib/python3/dist-packages"
    printf 'Package: python3-picamera2\nVersion: 0\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: stub\n' \
        >"$root/stub/DEBIAN/control"
    cat >"$root/stub/usr/lib/python3/dist-packages/picamera2.py" <<'PYTHON'
"""A stub of picamera2: it loads only with the NumPy that the system has, as what is built on it does."""

import numpy

assert numpy.__file__.startswith("/usr/lib/python3/dist-packages"), numpy.__file__
PYTHON
    inside dpkg-deb --build /stub /stub.deb >/dev/null
    inside dpkg -i /stub.deb >/dev/null
fi

step 'a dry run changes nothing'
before=$(list_files)
inside /src/install.sh --dry-run "${way[@]}" >"$root/tmp/dry"
[ "$before" = "$(list_files)" ] || fail 'the dry run left something'
inside id pointsman >/dev/null 2>&1 && fail 'the dry run made a user'

step 'without a network it says so, and nothing is left'
if in_quiet_network /src/install.sh "${way[@]}" >"$root/tmp/offline" 2>&1; then fail 'it was installed without a network'; fi
tail -1 "$root/tmp/offline"
tail -1 "$root/tmp/offline" | grep -q 'is there a network.*No version is in use yet' || fail 'the missing network is not told'
[ "$before" = "$(list_files)" ] || fail 'a run without a network left something'

step 'install.sh'
inside /src/install.sh "${way[@]}"

step 'OpenCV is the version that was tested, without the windows, and needs nothing of the system'
inside /opt/pointsman/current/bin/python -m pip check
for package in libgl1 libglx-mesa0 libglib2.0-0 libglib2.0-0t64; do
    if inside dpkg-query -W "$package" >/dev/null 2>&1; then echo "$package is there"; fi
done | tee "$root/tmp/windows"
[ ! -s "$root/tmp/windows" ] || fail 'there are packages for windows'
inside /opt/pointsman/current/bin/python - <<'PYTHON'
import pathlib
import sys
from importlib.metadata import PackageNotFoundError, version

import cv2

tested = dict(line.split("==") for line in pathlib.Path("/src/constraints.txt").read_text().split() if "==" in line)
found = version("opencv-python-headless")
print("OpenCV", cv2.__version__, "as opencv-python-headless", found)
with_ribbon = pathlib.Path("/usr/lib/python3/dist-packages/picamera2.py").exists()
assert with_ribbon or found == tested["opencv-python"], tested["opencv-python"]
try:
    sys.exit(f"opencv-python {version('opencv-python')} is there, too")
except PackageNotFoundError:
    pass
PYTHON
echo 'matches of years' >"$root/var/lib/pointsman/kept"

step 'install.sh again'
inside /src/install.sh "${way[@]}" | tee "$root/tmp/again"
grep -q 'installed already' "$root/tmp/again" || fail 'it was installed a second time'
[ ! -e "$root/opt/pointsman/versions/2" ] || fail 'there are two versions'

step 'a hub gets its broker, its service and its user, and the broker that Debian starts is not enabled'
by_hand=$root/var/lib/pointsman/hub
mkdir -p "$by_hand" && touch "$by_hand/lock" && echo 'of a hub that was started by hand' >"$by_hand/kept"
inside /src/install.sh --hub "${way[@]}" | tee "$root/tmp/hub"
[ "$(inside stat -c %U:%a /var/lib/pointsman-hub/hub/kept)" = pointsman-hub:644 ] || fail 'the hub of before is not taken over'
[ -e "$by_hand/kept" ] || fail 'the hub of before is gone'
grep -q 'sudo pointsman-hub hub pin' "$root/tmp/hub" || fail 'the hub is not told'
[ -x "$root/usr/sbin/mosquitto" ] || fail 'there is no broker'
[ ! -L "$root/etc/systemd/system/multi-user.target.wants/mosquitto.service" ] || fail 'the broker of Debian is enabled'
[ -L "$root/etc/systemd/system/multi-user.target.wants/pointsman-hub.service" ] || fail 'the hub is not enabled'
[ "$(readlink "$root/opt/pointsman/current")" = versions/2 ] || fail 'the version with what a hub needs is not in use'
inside id pointsman-hub
echo '# of this club' >>"$root/etc/default/pointsman-hub"
options=$(sha256sum <"$root/etc/default/pointsman-hub")

step 'the hub as its unit says, and a table that joins it'
in_quiet_network /opt/pointsman/current/bin/python /src/tests/install/hub_in_root.py /src
settings=$(sha256sum <"$root/etc/pointsman/pointsman.toml")
trusted=$(sha256sum <"$root/var/lib/pointsman-hub/hub/authority.crt")

inside pointsman-table doctor | grep -E '^(ok|warn|fail) +(package|networks|group)' || true

step 'an upgrade keeps the configuration'
echo '# changed' >>"$root/src/controller/__init__.py"
inside /src/install.sh "${way[@]}" >/dev/null
[ "$(readlink "$root/opt/pointsman/current")" = versions/3 ] || fail 'the upgrade is not in use'
[ "$settings" = "$(sha256sum <"$root/etc/pointsman/pointsman.toml")" ] || fail 'the configuration was changed'
[ "$options" = "$(sha256sum <"$root/etc/default/pointsman-hub")" ] || fail 'the options of the hub were changed'

step 'an upgrade without a network and one with a faulty file leave what there is, and say why'
echo '# changed again' >>"$root/src/controller/__init__.py"
if in_quiet_network /src/install.sh "${way[@]}" >"$root/tmp/offline" 2>&1; then fail 'an upgrade needs no network'; fi
tail -1 "$root/tmp/offline"
tail -1 "$root/tmp/offline" | grep -q 'is there a network? The version before stays in use' || fail 'the missing network is not told'
sed 's/^from/frm/' -i "$root/src/controller/systemd.py"
if inside /src/install.sh "${way[@]}" >"$root/tmp/faulty" 2>&1; then fail 'a faulty file was installed'; fi
tail -1 "$root/tmp/faulty"
tail -1 "$root/tmp/faulty" | grep -q 'is faulty: /src/controller/systemd.py, line ' || fail 'the faulty file is not named'
sed 's/^frm/from/' -i "$root/src/controller/systemd.py"
[ "$(readlink "$root/opt/pointsman/current")" = versions/3 ] || fail 'another version is in use'
[ "$(echo "$root"/opt/pointsman/versions/*)" = "$(echo "$root"/opt/pointsman/versions/{2,3})" ] || fail 'something was left behind'

step 'an upgrade that does not start is taken back'
sed -i 's/^__version__/raise SystemExit("broken")\n__version__/' "$root/src/controller/__init__.py"
if inside /src/install.sh "${way[@]}" >"$root/tmp/broken" 2>&1; then fail 'a broken version was installed'; fi
tail -2 "$root/tmp/broken"
[ "$(readlink "$root/opt/pointsman/current")" = versions/3 ] || fail 'the broken version is in use'
[ "$(echo "$root"/opt/pointsman/versions/*)" = "$(echo "$root"/opt/pointsman/versions/{2,3})" ] || fail 'the broken version was left behind'

step 'the program'
inside pointsman --version
if [ "${#way[@]}" != 0 ]; then
    inside /opt/pointsman/current/bin/python -c 'import picamera2, cv2, numpy; print("OpenCV", cv2.__version__, "NumPy", numpy.__version__)'
fi
game=/src/tests/data/game/frames
inside pointsman-table calibrate board --image $game/00000.jpg --image $game/00001.jpg --out /var/lib/pointsman/board.toml
inside pointsman-table read --board /var/lib/pointsman/board.toml --json $game/00000.jpg
inside pointsman-table demo --headless --games 1 --speed 0 --seed 2 --out /tmp/demo | tail -3
inside pointsman-table backup
inside pointsman-hub backup --hub hub --no-pictures --keep 7

step 'the units and the rules'
inside systemd-analyze verify /etc/systemd/system/pointsman.service /etc/systemd/system/pointsman-backup.service \
    /etc/systemd/system/pointsman-backup.timer /etc/systemd/system/pointsman-hub.service \
    /etc/systemd/system/pointsman-hub-backup.service /etc/systemd/system/pointsman-hub-backup.timer \
    /etc/systemd/system/pointsman-update.service /etc/systemd/system/pointsman-update.path
grep -q '"version": "' "$root/opt/pointsman/update.json" || fail 'the page does not know the version'
for unit in pointsman pointsman-backup pointsman-hub pointsman-hub-backup; do
    inside systemd-analyze security --offline=true --threshold=50 --no-pager "/etc/systemd/system/$unit.service" | tail -1
done
[ -L "$root/etc/systemd/system/multi-user.target.wants/pointsman.service" ] || fail 'the service is not enabled'
if inside udevadm verify --help >/dev/null 2>&1; then
    inside udevadm verify /etc/udev/rules.d/70-pointsman.rules
fi
inside id pointsman

step 'install.sh --uninstall leaves data only'
inside /src/install.sh --uninstall
left=$(comm -13 <(echo "$before") <(list_files) | grep -v -E '^\./(etc/pointsman|etc/default/pointsman-hub|var/lib/pointsman(-hub)?)(/|$)' |
    grep -i pointsman || true)
[ -z "$left" ] || fail "there is left: $left"
[ "$(find "$root/usr/local" -iname '*pointsman*')" = '' ] || fail 'a command is left'
[ "$trusted" = "$(sha256sum <"$root/var/lib/pointsman-hub/hub/authority.crt")" ] || fail 'data of the hub are gone'
[ "$options" = "$(sha256sum <"$root/etc/default/pointsman-hub")" ] || fail 'the options of the hub are gone'
[ -f "$root/var/lib/pointsman/kept" ] && [ -f "$root/etc/pointsman/pointsman.toml" ] || fail 'data are gone'

step 'all is well'
