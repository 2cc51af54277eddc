# A clean Debian in a folder, for the scripts beside this file: . clean_system.sh
# They set $suite, $root and $packages_of_system first. With the file BASE, a tar of such a system, nothing is fetched.
# shellcheck shell=bash disable=SC2154

sources=${SOURCES:-http://deb.debian.org/debian}

# The suite $suite in the folder $root, with $packages_of_system (a list with commas); for another processor: its name.
make_system() {
    if [ -f "${BASE:-}" ]; then
        tar -C "$root" --exclude='./dev/*' -xf "$BASE"
    else
        mmdebstrap --quiet --variant=minbase --architectures="${1:-$(dpkg --print-architecture)}" \
            --include="$packages_of_system" "$suite" "$root" "$sources"
    fi
    make_devices
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# What programs need in /dev where nothing is started.
make_devices() {
    rm -rf "${root:?}"/dev && mkdir "$root/dev"
    mknod -m 666 "$root/dev/null" c 1 3
    mknod -m 666 "$root/dev/zero" c 1 5
    mknod -m 666 "$root/dev/urandom" c 1 9
    ln -s /proc/self/fd "$root/dev/fd"
}

# A command in the system, with nothing of the surroundings but what leads to the packages.
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 USER=root DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
        ${https_proxy:+https_proxy="$https_proxy"} PIP_CERT=/etc/ssl/certs/ca-certificates.crt "$@"
}
