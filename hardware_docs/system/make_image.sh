#!/usr/bin/env bash
# Puts Pointsman into an image of Raspberry Pi OS (64 bit, Lite) or Debian, ready to be written onto a card:
#     sudo hardware_docs/system/make_image.sh IMAGE.img[.xz] PACKAGES OUT.img
# PACKAGES is the folder of `make deb`. The image given stays as it is. OUT.json is what a list for Raspberry Pi Imager
# says of it. Needs root, the network, fdisk, e2fsprogs and, on another processor, qemu-user-static.

set -euo pipefail

if [ "$#" != 3 ]; then
    sed -n '2,5s/^# \?//p' "$0" >&2
    exit 2
fi
image=$1 packages=$2 out=$3
readonly MORE_MB=1024   # what Pointsman and what it needs take, and room to write; a first start takes the whole card
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(mktemp -d)
loop=''

give_up() {
    printf 'make_image.sh: %s\n' "$*" >&2
    exit "${status:-1}"
}

clean_up() {
    umount "$root/proc" "$root/sys" "$root/dev" "$root" 2>/dev/null || true
    [ -z "$loop" ] || losetup --detach "$loop"
    loop=''
    rmdir "$root" 2>/dev/null || true
}
trap clean_up EXIT

inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
        ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

# The last partition is the system's: its number, its first sector, its sectors.
system_partition() {
    sfdisk --dump "$out" | sed -n 's/^[^:]*[^0-9]\([0-9]*\) : start= *\([0-9]*\), size= *\([0-9]*\),.*/\1 \2 \3/p' | tail -1
}

copy_image() {
    case $image in
        *.xz) xz --decompress --stdout --threads=0 "$image" >"$out" ;;
        *) cp --sparse=always "$image" "$out" ;;
    esac
    truncate --size="+${MORE_MB}M" "$out"
}

open_image() {
    local number start sectors
    read -r number start sectors < <(system_partition) || give_up "$image has no partitions; give an image of a whole card."
    echo ', +' | sfdisk --quiet --no-reread --no-tell-kernel -N "$number" "$out"
    read -r number start sectors < <(system_partition)
    loop=$(losetup --find --show --offset $((start * 512)) --sizelimit $((sectors * 512)) "$out")
    e2fsck -f -p "$loop" >/dev/null || [ "$?" = 1 ] || give_up "the system's partition of $image is damaged; fetch it again."
    resize2fs "$loop" >/dev/null 2>&1
    mount "$loop" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount --bind /dev "$root/dev"
    inside true 2>/dev/null || give_up "programs of $image cannot run here: install qemu-user-static and binfmt-support."
}

# Nothing is started while an image is made, and its own way to the network comes back afterwards.
install_packages() {
    local processor
    processor=$(inside dpkg --print-architecture)
    ls "$packages"/pointsman_*_"$processor".deb >/dev/null 2>&1 || give_up "$packages has no pointsman_*_$processor.deb; make deb builds it."
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    mv "$root/etc/resolv.conf" "$root/etc/resolv.conf.before" 2>/dev/null || true
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    mkdir "$root/packages"
    cp "$packages"/pointsman_*_"$processor".deb "$packages"/pointsman-wifi_*_all.deb "$root/packages/"
    inside apt-get update -qq
    inside sh -c 'apt-get install -y -qq -o Dpkg::Use-Pty=0 /packages/*.deb'
    inside apt-get clean
    rm -rf "$root/packages" "$root/usr/sbin/policy-rc.d" "$root/etc/resolv.conf"
    mv "$root/etc/resolv.conf.before" "$root/etc/resolv.conf" 2>/dev/null || true
}

# So that https://pointsman.local:8080/ is it, unless Raspberry Pi Imager is told another name.
name_machine() {
    local before
    before=$(cat "$root/etc/hostname")
    echo pointsman >"$root/etc/hostname"
    sed -i "s/\b$before\b/pointsman/g" "$root/etc/hosts" 2>/dev/null || true
    grep -qw pointsman "$root/etc/hosts" 2>/dev/null || echo '127.0.1.1 pointsman' >>"$root/etc/hosts"
}

# What an entry of Raspberry Pi Imager's list has; the address is where whoever publishes the image puts it.
describe() {
    local release format=systemd
    release=$(sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release")
    [ "$release" = bookworm ] || format=cloudinit-rpi
    clean_up
    python3 - "$out" "$format" "$(sed -n 's/^date-released: //p' "$here/../../CITATION.cff")" \
        "$(sed -n 's/^Source = "\(.*\)"/\1/p' "$here/../../pyproject.toml")" <<'PYTHON'
import hashlib
import json
import sys
from pathlib import Path

image, init_format, day, address = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
with image.open("rb") as file:
    digest = hashlib.file_digest(file, "sha256").hexdigest()
entry = {
    "name": "Pointsman",
    "description": "A referee for real backgammon boards, on Raspberry Pi OS Lite (64 bit)",
    "url": f"{address}/{image.name}",
    "icon": f"{address}/icon.png",
    "release_date": day,
    "extract_size": image.stat().st_size,
    "extract_sha256": digest,
    "image_download_size": image.stat().st_size,
    "image_download_sha256": digest,
    "devices": ["pi5-64bit", "pi4-64bit"],
    "init_format": init_format,
}
image.with_suffix(".json").write_text(json.dumps({"os_list": [entry]}, indent=2) + "\n")
PYTHON
}

[ -f "$image" ] || { status=2 give_up "there is no image $image."; }
[ "$(id -u)" = 0 ] || { status=2 give_up 'a system can only be changed by root; run it with sudo.'; }
[ "$image" != "$out" ] || { status=2 give_up 'the new image needs a name of its own; the one given stays as it is.'; }
copy_image
open_image
install_packages
name_machine
describe
echo "$out is ready to be written onto a card; ${out%.img}.json is its entry for Raspberry Pi Imager."
