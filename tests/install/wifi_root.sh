#!/usr/bin/env bash
# Has a phone bring a table into a Wi-Fi: a clean Debian with the package pointsman-wifi starts as a machine with its own
# systemd, comitup runs there as it comes, and NetworkManager and the radio are simulated.
#     sudo tests/install/wifi_root.sh bookworm PACKAGES [PICTURES]
# Needs mmdebstrap, systemd-container, Chromium, .venv, the network, root, and 2 GB in TMPDIR; leaves nothing behind.

set -euo pipefail

suite=$1 packages=$(cd "$2" && pwd) pictures=${3:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(mktemp -d)
packages_of_system=systemd,systemd-sysv,udev,dbus,ca-certificates
. "$here/tests/install/clean_system.sh"
machine=''

clean_up() {
    [ -z "$machine" ] || { kill -TERM "$machine" && sleep 1; kill -KILL "$machine"; wait "$machine"; } 2>/dev/null || true
    umount "$root/proc" "$root/sys" 2>/dev/null || true
    rm -rf --one-file-system "$root" "$root.console"
}
trap clean_up EXIT

step() { printf '\n== %s: %s\n' "$suite" "$*"; }

step 'a clean system with the packages'
make_system
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
echo pointsman >"$root/etc/hostname"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
mkdir "$root/packages"
cp "$packages"/pointsman_*_"$(dpkg --print-architecture)".deb "$packages"/pointsman-wifi_*.deb "$root/packages/"
inside apt-get update -qq
inside sh -c 'apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends /packages/*.deb python3-dbusmock' >"$root/tmp/said"
rm -r "$root/packages" "$root/usr/sbin/policy-rc.d"
umount "$root/proc" "$root/sys"

step 'a simulated NetworkManager and a simulated radio'
cp "$here/tests/install/simulated_wifi.py" "$root/root/"
cat >"$root/etc/systemd/system/NetworkManager.service" <<'UNIT'
[Service]
Type=dbus
BusName=org.freedesktop.NetworkManager
ExecStart=/usr/bin/python3 -u -m dbusmock --system --template /root/simulated_wifi.py

[Install]
WantedBy=multi-user.target
UNIT
cat >"$root/usr/local/sbin/iw" <<'PROGRAM'
#!/bin/sh
# Two networks are in the air.
case $* in
    dev) printf 'phy#0\n\tInterface wlan0\n' ;;
    *scan*)
        for each in 1:Home:-40 2:'Caf\xc3\xa9':-60; do
            echo "BSS 02:00:00:00:00:0${each%%:*}(on wlan0)"
            printf '\tsignal: %s.00 dBm\n\tSSID: %s\n\tRSN:\t * Version: 1\n' "${each##*:}" "$(printf '%s' "$each" | cut -d: -f2)"
        done
        ;;
esac
PROGRAM
chmod 755 "$root/usr/local/sbin/iw"
# NetworkManager names the arguments of its methods, which python3-networkmanager builds its own from; the simulated one
# does not.
python3 - "$root/usr/lib/python3/dist-packages/NetworkManager.py" <<'PYTHON'
import re
import sys
from pathlib import Path

path = Path(sys.argv[1])
named = r"""\1\2
\1for method in root.iter('method'):
\1    for number, arg in enumerate(method):
\1        arg.attrib['name'] = 'connection' if arg.attrib['type'] == 'a{sa{sv}}' else 'argument%d' % number"""
text, found = re.subn(r"^( *)(root = etree.fromstring\(.*\))$", named, path.read_text(), flags=re.MULTILINE)
assert found == 2, found
path.write_text(text)
PYTHON

step 'the machine starts, and a phone joins its Wi-Fi'
systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit --private-network </dev/null >"$root.console" 2>&1 &
machine=$!
until first=$(cut -d' ' -f1 <"/proc/$machine/task/$machine/children") && [ -n "$first" ]; do sleep 0.2; done
cd "$here"
if ! nsenter --net --target "$first" .venv/bin/python -m tests.install.phone_in_wifi "/proc/$first/root" ${pictures:+"$pictures"}; then
    tail -20 "$root/var/log/comitup.log" >&2
    exit 1
fi

step 'all is well'
