#!/usr/bin/env bash
# Makes an image of a card as Raspberry Pi OS has it, of a clean Debian; has make_image.sh put Pointsman into it; starts
# it as a machine with its own systemd; and asks it for its page.
#     sudo tests/install/image_root.sh trixie|bookworm PACKAGES
# Needs mmdebstrap, systemd-container, fdisk, e2fsprogs, curl, the network, root, and 6 GB in TMPDIR; leaves nothing
# behind. `make test-packages` does it.

set -euo pipefail

suite=$1 packages=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
place=$(mktemp -d)
sources=${SOURCES:-http://deb.debian.org/debian}
readonly PATIENCE_S=300
loop='' machine=''

clean_up() {
    [ -z "$machine" ] || { kill -TERM "$machine" && sleep 1; kill -KILL "$machine"; wait "$machine"; } 2>/dev/null || true
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

# A command in the machine that runs.
in_machine() { nsenter --all --target "$(first_process)" -- "$@"; }

# A command of this system, where the machine's addresses are.
on_its_network() { nsenter --net --target "$(first_process)" -- "$@"; }

first_process() { cut -d' ' -f1 <"/proc/$machine/task/$machine/children"; }

# Waits until a command succeeds.
until_it() {
    local end=$((SECONDS + PATIENCE_S))
    until "$@" >"$place/said" 2>&1; do
        [ "$SECONDS" -lt "$end" ] || fail "$* never succeeds: $(tail -3 "$place/said")"
        sleep 1
    done
}

step 'an image of a card, with nothing of Pointsman'
if [ -f "${BASE:-}" ]; then
    cp "$BASE" "$place/base.tar"
else
    mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,udev,dbus,ca-certificates "$suite" "$place/base.tar" "$sources"
fi
mkdir "$place/base" "$place/root"
tar -C "$place/base" --exclude='./dev/*' -xf "$place/base.tar"
echo raspberrypi >"$place/base/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 raspberrypi\n' >"$place/base/etc/hosts"
truncate --size=900M "$place/card.img"
printf 'label: dos\nstart=8192, size=65536, type=c\nstart=73728, type=83\n' | sfdisk --quiet "$place/card.img"
mkfs.ext4 -q -E offset=$((73728 * 512)) -d "$place/base" "$place/card.img" $((900 * 1024 - 73728 / 2))K
rm -rf "$place/base" "$place/base.tar"
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
began=$SECONDS
systemd-nspawn --quiet --directory="$place/root" --boot --register=no --keep-unit --private-network --hostname=pointsman \
    </dev/null >"$place/console" 2>&1 &
machine=$!
until_it in_machine systemctl is-active --quiet pointsman.service
until_it on_its_network curl --silent --fail --location --output "$place/page" http://127.0.0.1:8080/
grep -qi pointsman "$place/page" || fail 'the page says something else'
echo "The service runs $((SECONDS - began)) s after the start."
in_machine systemctl --no-pager --lines=0 status pointsman.service | head -12

step 'all is well'
