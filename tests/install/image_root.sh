#!/usr/bin/env bash
# Makes an image of a card as Raspberry Pi OS has it, of a clean Debian; has make_image.sh put Pointsman into it; starts
# it as a machine with its own systemd; and has a phone make a table of it, up to the first verdict (phone_sets_up.py).
#     sudo tests/install/image_root.sh trixie|bookworm PACKAGES [PICTURES]
# Needs mmdebstrap, systemd-container, fdisk, e2fsprogs, iproute2, Chromium, .venv, the network, root, and 6 GB in
# TMPDIR; leaves nothing behind. `make test-packages` does it.

set -euo pipefail

suite=$1 packages=$(cd "$2" && pwd) pictures=${3:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$(mktemp -d)
root=$place/base
packages_of_system=systemd,systemd-sysv,udev,dbus,ca-certificates
. "$here/tests/install/clean_system.sh"
readonly PATIENCE_S=300
# Of documentation (RFC 5737), so that nobody else has them; the phone is the machine that runs this.
readonly PHONE=198.51.100.1 TABLE=198.51.100.2
loop='' machine=''

clean_up() {
    end_machine
    umount "$place/root" 2>/dev/null || true
    [ -z "$loop" ] || losetup --detach "$loop" || true
    rm -rf --one-file-system "$place"
}
trap clean_up EXIT

step() { printf '\n== %s: %s\n' "$suite" "$*"; }

fail() {
    printf 'image_root.sh: %s\n' "$*" >&2
    [ ! -f "$place/console" ] || tail -30 "$place/console" >&2
    exit 1
}

# Switches on a machine whose card is as it was written; what it writes is kept beside it. $began is when.
start_machine() {
    mkdir "$place/card" "$place/written" "$place/work"
    mount -t overlay overlay -o "lowerdir=$place/root,upperdir=$place/written,workdir=$place/work" "$place/card"
    began=$(date +%s.%N)
    systemd-nspawn --quiet --directory="$place/card" --boot --register=no --keep-unit --network-veth \
        --machine="pm-$suite" --hostname=pointsman </dev/null >"$place/console" 2>&1 &
    machine=$!
    until_it give_network
    until_it in_machine systemctl is-active --quiet pointsman.service
    # The kernel's own console shows it at once; this one is a pseudo terminal, where agetty looks when it starts.
    until_it in_machine test -e /run/pointsman-code/screen
    in_machine systemctl restart console-getty.service
    echo "The service runs, and a code is on the screen, $(($(date +%s) - ${began%.*})) s after the start."
}

end_machine() {
    [ -z "$machine" ] || { kill -TERM "$machine" && sleep 1; kill -KILL "$machine"; wait "$machine"; } 2>/dev/null || true
    machine=''
    umount "$place/card" 2>/dev/null || true
    rm -rf --one-file-system "$place/card" "$place/written" "$place/work"
}

# Makes of the packages a source of apt that has this version and, with nothing else changed, the version $1.
offer_newer() {
    local each into=$place/root/srv/apt new=$place/new
    mkdir "$into"
    for each in "$packages"/pointsman_*_"$(dpkg --print-architecture)".deb "$packages"/pointsman-wifi_*_all.deb; do
        cp "$each" "$into/"
        dpkg-deb -R "$each" "$new"
        sed -i "s/^Version: .*/Version: $1/" "$new/DEBIAN/control"
        find "$new" -path '*/controller/__init__.py' -exec sed -i "s/^__version__ = .*/__version__ = \"$1\"/" {} +
        dpkg-deb -Znone --root-owner-group --build "$new" "$into/newer-$(basename "$each")" >/dev/null
        rm -rf "$new"
    done
    (cd "$into" && dpkg-scanpackages --multiversion . 2>/dev/null >Packages)
    echo 'deb [trusted=yes] file:/srv/apt ./' >"$place/root/etc/apt/sources.list.d/pointsman.list"
    # Whatever else the system knows would be asked for in the network, which this machine has none of.
    rm -f "$place/root/etc/apt/sources.list" "$place/root/etc/apt/sources.list.d"/*.sources
}

# A command in the machine that runs.
in_machine() { nsenter --all --target "$(first_process)" -- "$@"; }

# Stands for the cable and for the router, which gives an address.
give_network() {
    local outside=ve-pm-$suite inner
    inner=$(first_process) && [ -n "$inner" ] && nsenter --net --target "$inner" -- ip link show host0 &&
        ip address replace "$PHONE/24" dev "$outside" && ip link set "$outside" up &&
        nsenter --net --target "$inner" -- ip address replace "$TABLE/24" dev host0 &&
        nsenter --net --target "$inner" -- ip link set host0 up &&
        nsenter --net --target "$inner" -- ip route replace default via "$PHONE"
}

first_process() { cut -d' ' -f1 <"/proc/$machine/task/$machine/children"; }

# Waits until a command succeeds.
until_it() {
    local end=$((SECONDS + PATIENCE_S))
    until "$@" >"$place/said" 2>&1; do
        kill -0 "$machine" 2>/dev/null || fail 'the machine has ended'
        [ "$SECONDS" -lt "$end" ] || fail "$* never succeeds: $(tail -3 "$place/said")"
        sleep 1
    done
}

step 'an image of a card, with nothing of Pointsman'
mkdir "$place/base" "$place/root"
make_system
echo raspberrypi >"$place/base/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 raspberrypi\n' >"$place/base/etc/hosts"
truncate --size=900M "$place/card.img"
printf 'label: dos\nstart=8192, size=65536, type=c\nstart=73728, type=83\n' | sfdisk --quiet "$place/card.img"
mkfs.ext4 -q -E offset=$((73728 * 512)) -d "$place/base" "$place/card.img" $((900 * 1024 - 73728 / 2))K
rm -rf "$place/base"
before=$(sha256sum <"$place/card.img")

step 'make_image.sh'
"$here/hardware_docs/system/make_image.sh" "$place/card.img" "$packages" "$place/pointsman.img"
[ "$before" = "$(sha256sum <"$place/card.img")" ] || fail 'the image given was changed'
[ "$(losetup --associated "$place/pointsman.img")" = '' ] || fail 'the image is still open'
python3 - "$place" <<'PYTHON'
import hashlib
import json
import sys
from pathlib import Path

(entry,) = json.loads(Path(sys.argv[1], "pointsman.json").read_text())["os_list"]
image = Path(sys.argv[1], "pointsman.img").read_bytes()
assert entry["extract_size"] == len(image), entry
assert entry["extract_sha256"] == hashlib.sha256(image).hexdigest(), entry
PYTHON
rm "$place/card.img"

step 'the machine starts, and its page answers'
start=$(sfdisk --dump "$place/pointsman.img" | sed -n 's/.* : start= *\([0-9]*\),.*type=83.*/\1/p')
loop=$(losetup --find --show --offset $((start * 512)) "$place/pointsman.img")
mount "$loop" "$place/root"
[ ! -e "$place/root/usr/sbin/policy-rc.d" ] || fail 'nothing would ever be started there'
[ "$(cat "$place/root/etc/hostname")" = pointsman ] || fail 'the machine has another name'
find "$place/root/var/lib/pointsman" -type f | grep . && fail 'every table would have these same files'
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$here/controller/__init__.py")
cd "$here"
start_machine

until_it in_machine grep -q comitup-no-wifi /var/log/comitup.log
in_machine journalctl --no-pager --unit=comitup | grep KeyError && fail 'comitup does not know a device that NetworkManager lists'

step 'a phone makes a table of it, up to the first verdict'
.venv/bin/python -m tests.install.phone_sets_up "$place/console" tests/data/game/frames "$began" ${pictures:+"$pictures"} ||
    { in_machine journalctl --no-pager --lines=30 --unit=pointsman >&2; fail 'the phone has made no table of it'; }
end_machine

step 'a phone brings it up to date from the set-up page, and takes it back'
offer_newer "$version+newer"
start_machine
.venv/bin/python -m tests.install.phone_updates "$place/console" "$began" "$version" "$version+newer" ${pictures:+"$pictures"} ||
    { in_machine journalctl --no-pager --lines=40 --unit=pointsman-update >&2; fail 'the phone has not updated it'; }
[ "$(in_machine dpkg-query --show --showformat '${Version}' pointsman)" = "$version" ] || fail 'it was not taken back'

step 'all is well'
