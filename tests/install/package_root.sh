#!/usr/bin/env bash
# Installs the packages of `make deb` into a clean Debian that is made for it, brings them up to date, removes and
# purges them, and looks at what is there each time.
#     sudo tests/install/package_root.sh trixie|bookworm FOLDER [amd64|arm64]
# FOLDER holds the packages. Needs mmdebstrap, the network, root, and 2 GB in TMPDIR; leaves nothing behind.
# `make test-packages` does both. For another processor, binfmt_misc has to know qemu-user-static.

set -euo pipefail

suite=$1 packages=$(cd "$2" && pwd) processor=${3:-$(dpkg --print-architecture)}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(mktemp -d)
packages_of_system=systemd,systemd-sysv,udev,dbus,ca-certificates
. "$here/tests/install/clean_system.sh"
readonly TABLE_MB=350 HUB_MB=450   # what each may take of the card, with all that it brings

clean_up() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap clean_up EXIT

step() { printf '\n== %s %s: %s\n' "$suite" "$processor" "$*"; }

fail() {
    printf 'package_root.sh: %s\n' "$*" >&2
    exit 1
}

apt() { inside apt-get -y -qq -o Dpkg::Use-Pty=0 "$@"; }

# The same for files of Pointsman: what of their names stands before the version.
install_packages() {
    local each files=()
    for each in "$@"; do
        files+=("/packages/$(cd "$root/packages" && echo "$each"_*.deb)")
    done
    apt install --no-install-recommends --allow-downgrades "${files[@]}"
}

# Everything but what apt, dpkg and the log keep about themselves.
list_files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./packages -o -path ./var/cache -o -path ./var/lib/apt \
        -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./root -o -path ./run \) -prune -o -print |
        grep -v -E '^\./etc/(ld\.so\.cache|passwd-?|group-?|g?shadow-?|sub[ug]id-?)$' | sort)
}

size_mb() { du -smx --exclude=./packages --exclude=./var/cache --exclude=./var/lib/apt --exclude=./var/log "$root" | cut -f1; }

step 'a clean system'
make_system "$processor"
mount -t proc proc "$root/proc"
groupadd --root "$root" --system gpio
groupadd --root "$root" --system spi
mkdir "$root/packages"
cp "$packages"/pointsman*_"$processor".deb "$packages"/pointsman*_all.deb "$root/packages/" 2>/dev/null || true
apt update
# What is there beside the packages of Pointsman, so that only their own files can be left.
bare=$(size_mb)
recommended=(avahi-daemon python3-evdev)
[ "$processor" = amd64 ] || recommended+=(avrdude)
groupadd --root "$root" --system --force input
apt install --no-install-recommends adduser python3-numpy "${recommended[@]}" >/dev/null
needs=$(size_mb)
apt install --no-install-recommends mosquitto >/dev/null
broker=$(size_mb)
with_needs=$(list_files)
users=$(cat "$root/etc/passwd" "$root/etc/group")

step 'the table'
install_packages pointsman | tee "$root/tmp/said"
grown=$((needs - bare + $(size_mb) - broker))
echo "The table's system has grown by $grown MB, $((needs - bare)) of them Debian's packages."
[ "$grown" -le "$TABLE_MB" ] || fail "that is more than $TABLE_MB MB"
grep -q 'http://127.0.0.1:8080/' "$root/tmp/said" || fail 'nobody is told where the page is'
inside pointsman --version
inside id pointsman
[ -L "$root/etc/systemd/system/multi-user.target.wants/pointsman.service" ] || fail 'the service is not enabled'
[ -L "$root/etc/systemd/system/timers.target.wants/pointsman-backup.timer" ] || fail 'there are no backups'
[ "$(inside stat -c %U:%a /etc/pointsman/pointsman.toml)" = pointsman:644 ] || fail 'the configuration is not the table'"'"'s'
inside pointsman-table demo --headless --games 1 --speed 0 --seed 2 --out /tmp/demo | tail -3
rm -rf "$root/tmp/demo"
inside pointsman-table backup
inside runuser -u pointsman -- /opt/pointsman/current/bin/python -c \
    'from controller.devices.keys.inputs import name_of; assert name_of(28) == "KEY_ENTER"' || fail 'keys cannot be buttons'
inside pointsman-table doctor | grep -E '^(ok|warn|fail) +(package|networks|group)' || true

step 'the hub'
install_packages pointsman-hub
grown=$(($(size_mb) - bare))
echo "With a hub the system has grown by $grown MB."
[ "$grown" -le "$HUB_MB" ] || fail "that is more than $HUB_MB MB"
inside id pointsman-hub
inside pointsman-hub hub --help >/dev/null
[ -L "$root/etc/systemd/system/multi-user.target.wants/pointsman-hub.service" ] || fail 'the hub is not enabled'
echo '# of this club' >>"$root/etc/default/pointsman-hub"
inside systemd-analyze verify /usr/lib/systemd/system/pointsman.service /usr/lib/systemd/system/pointsman-hub.service

step 'an upgrade keeps settings and data'
echo 'matches of years' >"$root/var/lib/pointsman/kept"
echo '# changed' >>"$root/etc/pointsman/pointsman.toml"
kept=$(cat "$root"/etc/pointsman/pointsman.toml "$root/etc/default/pointsman-hub" | sha256sum)
for each in pointsman pointsman-hub; do
    mkdir "$root/packages/new"
    inside dpkg-deb -R "$(cd "$root" && echo packages/"$each"_*.deb)" packages/new
    sed -i -E "s/^Version: .*/&+1/; s/(pointsman \(= [^)]*)/\1+1/" "$root/packages/new/DEBIAN/control"
    inside dpkg-deb -Znone --root-owner-group --build packages/new "packages/newer-${each}_$processor.deb" >/dev/null
    rm -rf "$root/packages/new"
done
install_packages newer-pointsman newer-pointsman-hub
inside dpkg-query -W -f '${Version}\n' pointsman | grep -q '+1$' || fail 'it is not the newer one'
[ "$kept" = "$(cat "$root"/etc/pointsman/pointsman.toml "$root/etc/default/pointsman-hub" | sha256sum)" ] || fail 'settings were changed'
[ -e "$root/var/lib/pointsman/kept" ] || fail 'data are gone'
inside pointsman --version

step 'removed: settings and data stay, the program is gone'
apt remove pointsman pointsman-hub
[ ! -e "$root/opt/pointsman" ] || fail "there is left: $(find "$root/opt/pointsman" | head -5)"
[ -e "$root/var/lib/pointsman/kept" ] && [ -e "$root/etc/pointsman/pointsman.toml" ] || fail 'data are gone'
install_packages pointsman pointsman-hub >/dev/null
grep -q '^# changed' "$root/etc/pointsman/pointsman.toml" || fail 'settings are not taken up again'

step 'purged: nothing is left'
apt purge pointsman pointsman-hub
left=$(comm -13 <(echo "$with_needs") <(list_files))
[ -z "$left" ] || fail "there is left: $left"
[ "$users" = "$(cat "$root/etc/passwd" "$root/etc/group")" ] || fail 'users or groups are left'

step 'all is well'
