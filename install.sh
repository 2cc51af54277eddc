#!/usr/bin/env bash
# Installs Pointsman as a service, or brings it up to date: Raspberry Pi OS (64 bit) and Debian, 12 and 13.
# ./install.sh --help says what it can do, hardware_docs/installation.md what it does and why.

set -euo pipefail
# The program is for its own user, too, whatever root's habits are.
umask 022

readonly PROGRAM=/opt/pointsman            # versions/1, versions/2 ...; current leads to the one in use
readonly DATA=/var/lib/pointsman           # board file, matches, backups
readonly SETTINGS=/etc/pointsman           # pointsman.toml
readonly HUB_DATA=/var/lib/pointsman-hub   # what belongs to the hub of a club
readonly HUB_OPTIONS=/etc/default/pointsman-hub
readonly COMMANDS=/usr/local/bin
readonly UNITS=/etc/systemd/system
readonly SCREEN=/etc/issue.d/pointsman-code.issue   # what the machine's screen shows above its login
readonly RULES=/etc/udev/rules.d/70-pointsman.rules
readonly WIFI_PROGRAM=/usr/lib/pointsman-wifi/wifi-told
readonly WIFI_PAGES=/usr/share/pointsman-wifi/pages
readonly WIFI_SCREEN=/etc/issue.d/pointsman-wifi.issue
readonly WIFI_SETTINGS=/etc/pointsman-wifi.conf
readonly OWNER=pointsman
readonly HUB_OWNER=pointsman-hub
readonly TABLE_UNITS=(pointsman.service pointsman-backup.service pointsman-backup.timer pointsman-update.service pointsman-update.path pointsman-code.service)
readonly HUB_UNITS=(pointsman-hub.service pointsman-hub-backup.service pointsman-hub-backup.timer)
readonly GROUPS_WANTED=(dialout video render gpio spi bluetooth systemd-journal)
readonly RIBBON_OPENCV=4.11.0.86           # the last that runs with the NumPy of Debian 12 and of Debian 13
readonly PORT=8080
readonly HUB_PORT=8100

source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly source_folder
readonly system_files=$source_folder/hardware_docs/system

usage() {
    cat <<'TEXT'
./install.sh            installs Pointsman for a USB camera, or brings it up to date
./install.sh --ribbon   the same for a camera at the ribbon of a Raspberry Pi
./install.sh --uninstall    takes the program away; settings, board file and matches stay

  --speech     lets the table speak: espeak-ng, aplay, and the sound card for the table's user
  --hub        makes this machine the hub of a club, too: a second service, with the broker Mosquitto
  --bluetooth  with the package for dice with Bluetooth, GoDice and Pixels
  --keys       with the package for keyboards, foot switches and presenters as buttons
  --wifi       a table that knows no Wi-Fi opens one of its own, and a phone tells it yours: comitup, NetworkManager
  --open       a new configuration lets phones and other machines open the pages
  --no-start   installs without starting the service
  --dry-run    prints every command that would change something, and changes nothing
  -h, --help   prints this

Run it as a user who may use sudo, or as root. Run it again to bring Pointsman up to date, after git pull.
TEXT
}

say() { printf '%s\n' "$*"; }

give_up() {
    printf 'install.sh: %s\n' "$*" >&2
    exit "${status:-1}"
}

# --- what is asked for -------------------------------------------------------------------------------------

camera=usb task=install hub=no speech=no bluetooth=no keys=no wifi=no open_pages=no start=yes dry_run=no

for word in "$@"; do
    case $word in
        --ribbon) camera=ribbon ;;
        --uninstall) task=uninstall ;;
        --hub) hub=yes ;;
        --speech) speech=yes ;;
        --bluetooth) bluetooth=yes ;;
        --keys) keys=yes ;;
        --wifi) wifi=yes ;;
        --open) open_pages=yes ;;
        --no-start) start=no ;;
        --dry-run) dry_run=yes ;;
        -h | --help) usage && exit 0 ;;
        *) status=2 give_up "there is no option $word; ./install.sh --help lists them." ;;
    esac
done

# --- how things are done -----------------------------------------------------------------------------------

as_root=()
if [ "$(id -u)" != 0 ]; then
    as_root=(sudo)
fi

# Runs a command as root; with --dry-run prints it instead.
change() {
    if [ "$dry_run" = yes ]; then
        printf '+ %s\n' "$(printf '%q ' "${as_root[@]}" "$@" | sed 's/ $//')"
    else
        "${as_root[@]}" "$@"
    fi
}

# Runs a command as the table's user, who owns no more than the data.
as_owner() {
    "${as_root[@]}" runuser -u "$OWNER" -- env HOME="$DATA" "$@"
}

# Makes a user without a login, whom a service runs as, if there is none: name, home, what runs.
make_service_user() {
    if ! id "$1" >/dev/null 2>&1; then
        say "The user $1, as whom ${3} runs"
        change useradd --system --user-group --home-dir "$2" --no-create-home --shell /usr/sbin/nologin "$1"
    fi
}

# Puts standard input into a file of root's, which is there whole or not at all, also after a power cut.
write_file() {
    if [ "$dry_run" = yes ]; then
        printf '+ write %s\n' "$1"
        cat >/dev/null
    else
        "${as_root[@]}" tee "$1.new" >/dev/null
        "${as_root[@]}" sync "$1.new"
        "${as_root[@]}" mv "$1.new" "$1"
    fi
}

systemd_runs() { [ -d /run/systemd/system ]; }

# systemctl for what runs; without a running systemd (an image that is being made) there is nothing to tell.
tell_systemd() {
    if systemd_runs; then
        change systemctl "$@"
    fi
}

is_pi() { grep -q 'Raspberry Pi' /proc/device-tree/model 2>/dev/null; }

has_package() { [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null)" = 'ii ' ]; }

offers_package() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# What a run that fails leaves.
what_stays() {
    if [ -n "$(version_in_use)" ]; then
        echo 'The version before stays in use.'
    else
        echo 'No version is in use yet.'
    fi
}

version_in_use() { basename "$(readlink "$PROGRAM/current" 2>/dev/null)"; }

# The number of the newest version, 0 where there is none.
newest_version() {
    local each newest=0
    for each in "$PROGRAM"/versions/*; do
        each=${each##*/}
        if [[ $each =~ ^[0-9]+$ ]] && [ "$each" -gt "$newest" ]; then
            newest=$each
        fi
    done
    echo "$newest"
}

# What runs here: a service that somebody has switched off stays off. --hub switches the hub on.
look_at_services() {
    with_hub=$hub hub_on=$hub
    if [ -e "$UNITS/pointsman.service" ] && ! systemctl --quiet is-enabled pointsman.service; then
        table_on=no
        say 'The service of the table is switched off and stays so; sudo systemctl enable --now pointsman starts it.'
    fi
    if [ -e "$UNITS/pointsman-hub.service" ]; then
        with_hub=yes hub_before=yes
        if systemctl --quiet is-enabled pointsman-hub.service; then
            hub_on=yes
        fi
    fi
}

# --- look before anything is changed -----------------------------------------------------------------------

check_machine() {
    local id='' name='' architecture
    if [ -r /etc/os-release ]; then
        # shellcheck source=/dev/null
        id=$(. /etc/os-release && echo "${ID:-}") name=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    fi
    case $id/$name in
        debian/bookworm | debian/trixie | raspbian/bookworm | raspbian/trixie) ;;
        *) give_up "this system is ${id:-unknown} ${name}; it has to be Raspberry Pi OS or Debian, bookworm or trixie." ;;
    esac
    architecture=$(dpkg --print-architecture)
    case $architecture in
        arm64 | amd64) ;;
        *) give_up "this system is $architecture; put the 64-bit Raspberry Pi OS on the card." ;;
    esac
    # A package brings a folder, and this script a link.
    if [ -d "$PROGRAM/current" ] && [ ! -L "$PROGRAM/current" ]; then
        give_up 'Pointsman is installed here as a package: bring it up to date with apt, or take it away first (sudo apt remove pointsman); settings and matches stay.'
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        give_up 'there is no sudo; run it as root.'
    fi
    if [ ! -f "$source_folder/pyproject.toml" ] || [ ! -f "$system_files/pointsman.service" ]; then
        give_up "$source_folder is not the whole folder of Pointsman; run it where git put it."
    fi
}

# Reads every file of the program as Python does, once there is one. Of a file that cannot be read pip would only say
# that something cannot be built, or nothing at all.
check_source() {
    local fault
    if [ "$source_checked" = yes ] || ! command -v python3 >/dev/null; then
        return
    fi
    source_checked=yes
    if ! fault=$(python3 - "$source_folder" 2>/dev/null <<'PYTHON'
import pathlib
import sys
import tomllib

folder = pathlib.Path(sys.argv[1])
modules = [path for room in ("controller", "calibration") for path in sorted((folder / room).rglob("*.py"))]
for path in [folder / "pyproject.toml", *modules]:
    try:
        if path.suffix == ".toml":
            tomllib.loads(path.read_text(encoding="utf-8"))
        else:
            compile(path.read_bytes(), str(path), "exec")
    except SyntaxError as error:
        print(f"{path}, line {error.lineno}: {error.msg}")
        sys.exit(1)
    except (OSError, ValueError) as error:
        print(f"{path}: {error}")
        sys.exit(1)
PYTHON
    ); then
        give_up "a file of this copy of Pointsman is faulty: ${fault:-python3 cannot read it}. $(what_stays) git status says whether it was changed here."
    fi
}

# --- system packages ---------------------------------------------------------------------------------------

wanted_packages() {
    echo python3 python3-venv
    if [ "$camera" = ribbon ]; then
        echo python3-picamera2 python3-numpy
    fi
    if [ "$speech" = yes ]; then
        echo espeak-ng alsa-utils
    fi
    if [ "$(with_keys)" = yes ] && [ "$(uname -m)" != x86_64 ]; then
        echo gcc libc6-dev linux-libc-dev python3-dev  # the package evdev is compiled there
    fi
    if [ "$(with_wifi)" = yes ]; then
        echo comitup iproute2 iptables network-manager
    fi
    if [ "$with_hub" = yes ]; then
        echo mosquitto
    fi
}

# Says why apt could not install packages: the file that holds its complaints, the packages.
no_packages() {
    local said=$1 why
    shift
    cat "$said" >&2
    if grep -q -E 'Could not get lock|Unable to (acquire|lock)' "$said"; then
        why="apt is busy with something else, so $* cannot be installed: wait until that is done, and run this again."
    elif grep -q -E 'Could not (resolve|connect)|Unable to connect|Temporary failure|Network is unreachable|Failed to fetch' "$said"; then
        why="the system packages $* cannot be fetched: is there a network? Run this again when there is one."
    else
        why="apt cannot install $*; what it said stands above."
    fi
    rm -f "$said"
    give_up "$why $(what_stays)"
}

install_packages() {
    local missing=() package said
    for package in $(wanted_packages); do
        has_package "$package" || missing+=("$package")
    done
    if is_pi && ! has_package python3-lgpio; then
        missing+=(python3-lgpio)
    fi
    # Writes the firmware onto the board's chip; the program finds no other use for it.
    if is_pi && ! has_package avrdude; then
        missing+=(avrdude)
    fi
    if [ "${#missing[@]}" = 0 ]; then
        return
    fi
    say "System packages: ${missing[*]}"
    said=$(mktemp)
    # An archive that cannot be reached does no harm as long as these packages are there.
    change env LC_ALL=C apt-get update -qq -o APT::Update::Error-Mode=any 2>"$said" || true
    if [ "$dry_run" = no ] && [[ " ${missing[*]} " = *' python3-picamera2 '* ]] && ! offers_package python3-picamera2; then
        if ! offers_package python3-venv; then  # nothing is known of any package
            no_packages "$said" "${missing[@]}"
        fi
        rm -f "$said"
        give_up 'this system has no package python3-picamera2: a camera at the ribbon needs Raspberry Pi OS. Use a USB camera here.'
    fi
    if ! change env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" 2>>"$said"; then
        no_packages "$said" "${missing[@]}"
    fi
    rm -f "$said"
    if [[ " ${missing[*]} " = *' mosquitto '* ]]; then
        stop_system_broker
    fi
}

# Debian starts a broker of its own at port 1883. The hub starts another one, with logins and TLS; nobody uses the
# first. Where the package was there before, somebody may: it stays as it is, and the hub takes another port.
stop_system_broker() {
    if systemd_runs; then
        change systemctl --quiet disable --now mosquitto.service
    else
        change systemctl --quiet disable mosquitto.service
    fi
}

# --- user, folders -----------------------------------------------------------------------------------------

make_user() {
    local group groups=("${GROUPS_WANTED[@]}")
    make_service_user "$OWNER" "$DATA" 'the table'
    if [ "$speech" = yes ]; then
        groups+=(audio)
    fi
    if [ "$(with_keys)" = yes ]; then
        groups+=(input)
    fi
    for group in "${groups[@]}"; do
        if getent group "$group" >/dev/null && ! id -nG "$OWNER" 2>/dev/null | grep -qw "$group"; then
            change usermod --append --groups "$group" "$OWNER"
        fi
    done
    if [ "$with_hub" = yes ]; then
        make_service_user "$HUB_OWNER" "$HUB_DATA" 'the hub'
    fi
}

make_folders() {
    local folder
    for folder in "$DATA" "$SETTINGS"; do
        if [ ! -d "$folder" ]; then
            change install -d -o "$OWNER" -g "$OWNER" -m 0750 "$folder"
        fi
    done
    if [ "$with_hub" = yes ] && [ ! -d "$HUB_DATA" ]; then
        change install -d -o "$HUB_OWNER" -g "$HUB_OWNER" -m 0750 "$HUB_DATA"
    fi
    change install -d -m 0755 "$PROGRAM/versions"
}

# A hub that was started by hand kept everything in the table's folder; the service goes on with a copy of it.
take_over_hub() {
    local before=$DATA/hub
    if [ "$with_hub" = no ] || ! "${as_root[@]}" test -e "$before/lock" || "${as_root[@]}" test -e "$HUB_DATA/hub"; then
        return
    fi
    if ! "${as_root[@]}" flock --nonblock "$before/lock" true; then
        give_up "a hub that was started by hand uses $before; end it, and run this again."
    fi
    say "The hub goes on with what lies in $before; that stays as it is"
    change cp -a "$before" "$HUB_DATA/hub"
    change chown -R "$HUB_OWNER:$HUB_OWNER" "$HUB_DATA/hub"
}

# --- the program -------------------------------------------------------------------------------------------

# Whether the version in use has a module of Python.
has_module() {
    [ -n "$(find "$PROGRAM"/current/lib/python3*/site-packages -maxdepth 1 -name "$1" 2>/dev/null)" ]
}

# Whether dice with Bluetooth are wanted, now or since an earlier time: yes or no.
with_bluetooth() {
    if [ "$bluetooth" = yes ] || has_module bleak; then echo yes; else echo no; fi
}

# Whether keys of keyboards and foot switches are wanted as buttons, likewise.
with_keys() {
    if [ "$keys" = yes ] || has_module evdev; then echo yes; else echo no; fi
}

# Whether the table opens a Wi-Fi of its own where it knows none, likewise.
with_wifi() {
    if [ "$wifi" = yes ] || [ -e "$WIFI_PROGRAM" ]; then echo yes; else echo no; fi
}

# What the program is made of; the same again needs no new version.
source_digest() {
    (
        cd "$source_folder"
        echo "$camera" "$with_hub" "$(with_bluetooth)" "$(with_keys)" "$(python3 --version 2>/dev/null || true)" "$(is_pi && echo pi)"
        find controller calibration pyproject.toml constraints.txt install.sh \
            -type f ! -path '*/__pycache__/*' -print0 | sort -z | xargs -0 sha256sum
    ) | sha256sum | cut -d' ' -f1
}

# Whether a version starts, and OpenCV with it.
answers() {
    "${as_root[@]}" test -x "$1/bin/pointsman" && as_owner "$1/bin/pointsman" --version >/dev/null &&
        as_owner "$1/bin/python" -c 'import cv2'
}

# The versions that pip has to take. With the ribbon NumPy is the system's, because picamera2 is built on it, and OpenCV
# is the last that runs with that of either system: Debian 12's own cannot read the networks.
constraints() {
    if [ "$camera" = usb ]; then
        cat "$source_folder/constraints.txt"
        return
    fi
    grep -v -E '^(numpy|opencv-python)==' "$source_folder/constraints.txt"
    python3 -c 'import numpy; print(f"numpy=={numpy.__version__}")'
    echo "opencv-python==$RIBBON_OPENCV"
}

install_program() {
    local digest number place before environment=() wanted=()
    digest=$(source_digest)
    before=$(version_in_use)
    if [ -n "$before" ] && [ "$digest" = "$(cat "$PROGRAM/versions/$before/source" 2>/dev/null)" ] &&
        answers "$PROGRAM/versions/$before"; then
        say "This version is installed already ($PROGRAM/versions/$before)."
        changed=no
        return
    fi
    changed=yes
    number=$(($(newest_version) + 1))
    place=$PROGRAM/versions/$number
    say "Pointsman in $place; this takes a few minutes"
    if [ "$camera" = ribbon ]; then
        environment=(--system-site-packages)
    fi
    change python3 -m venv "${environment[@]}" "$place"
    if [ "$dry_run" = yes ]; then
        change "$place/bin/pip" install --constraint constraints.txt "$source_folder$(extras)"
    else
        fetch "$place"
        if ! answers "$place"; then
            "${as_root[@]}" rm -rf "$place"
            give_up "the new version does not start; what it said stands above. $(what_stays)"
        fi
        # This file says that the version is whole, so all of it is on the disk before.
        "${as_root[@]}" sync -f "$place"
        echo "$digest" | write_file "$place/source"
    fi
    link_version "$number"
    new_version=$number old_version=$before
}

# No window is ever opened here. In the place of opencv-python comes the same version built without its windows, which
# needs no libGL from the system.
readonly WITHOUT_WINDOWS='s/opencv-python([<=>])/opencv-python-headless\1/'

# What pip says where it cannot reach the packages.
readonly NO_NETWORK='NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|name resolution|Network is unreachable|No route to host|Connection (refused|reset|timed out)'

# What the program needs here beside what a table needs, as pip takes it. The hub's ways to PostgreSQL and NATS, and
# dice with Bluetooth and keys as buttons, stay where somebody has added them.
extras() {
    local wanted=() module
    if [ "$with_hub" = yes ]; then
        wanted+=(hub)
        for module in psycopg:postgresql nats:nats; do
            if has_module "${module%:*}"; then
                wanted+=("${module#*:}")
            fi
        done
    fi
    if [ "$(with_bluetooth)" = yes ]; then
        wanted+=(bluetooth)
    fi
    if [ "$(with_keys)" = yes ]; then
        wanted+=(keys)
    fi
    if [ "${#wanted[@]}" != 0 ]; then
        (IFS=, && echo "[${wanted[*]}]")
    fi
}

# Has pip put the program into a virtual environment; of the folder only a copy is touched, so that nothing of root's
# is left in it.
fetch() {
    local copy why
    copy=$(mktemp -d)
    tar -C "$source_folder" --exclude=__pycache__ -cf - pyproject.toml README.md LICENSE controller calibration | tar -C "$copy" -xf -
    constraints >"$copy/constraints.txt"
    sed -i -E "$WITHOUT_WINDOWS" "$copy/pyproject.toml" "$copy/constraints.txt"
    if is_pi; then
        wanted+=('gpiozero>=2.0.1.post3,<3')
    fi
    if ! "${as_root[@]}" "$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
        --constraint "$copy/constraints.txt" "$copy$(extras)" "${wanted[@]}" 2>"$copy/said"; then
        cat "$copy/said" >&2
        why='the packages cannot be installed; what pip said stands above.'
        if grep -q -E "$NO_NETWORK" "$copy/said"; then
            why='the packages cannot be fetched: is there a network?'
        fi
        "${as_root[@]}" rm -rf "$1" "$copy"
        give_up "$why $(what_stays)"
    fi
    link_library "$1"
    "${as_root[@]}" rm -rf "$copy"
}

# The system's lgpio reaches the pins. It is lent to the virtual environment by itself: there is no wheel of it for
# Python 3.13, and whatever else the system has would come along with --system-site-packages.
link_library() {
    local into file
    into=$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    for file in /usr/lib/python3/dist-packages/lgpio.py /usr/lib/python3/dist-packages/_lgpio.*.so; do
        if [ -e "$file" ]; then
            "${as_root[@]}" ln -sf "$file" "$into/"
        fi
    done
}

link_version() {
    change ln -sfn "versions/$1" "$PROGRAM/current.new"
    change mv -T "$PROGRAM/current.new" "$PROGRAM/current"
}

# The one in use and the one before it stay.
remove_old_versions() {
    local each
    for each in "$PROGRAM"/versions/*; do
        case ${each##*/} in
            "$new_version" | "$old_version" | '*') ;;
            *) change rm -rf "$each" ;;
        esac
    done
}

# --- configuration and service -----------------------------------------------------------------------------

write_settings() {
    if [ ! -e "$SETTINGS/pointsman.toml" ]; then
        say "The configuration $SETTINGS/pointsman.toml"
        if [ "$dry_run" = yes ]; then
            write_file "$SETTINGS/pointsman.toml" </dev/null
        else
            {
                echo "# Of this table. After a change: sudo systemctl restart pointsman"
                echo "# It is linked in $DATA, and what is named here lies there. To check it: sudo pointsman-table doctor"
                as_owner "$PROGRAM/current/bin/pointsman" config |
                    if [ "$open_pages" = yes ]; then sed 's/^#open = false/open = true/'; else cat; fi |
                    if [ "$speech" = yes ]; then sed '/^\[speech\]/,/^\[/s/^#use = false/use = true/'; else cat; fi
            } | write_file "$SETTINGS/pointsman.toml"
            change chown "$OWNER:$OWNER" "$SETTINGS/pointsman.toml"
        fi
    else
        if [ "$open_pages" = yes ]; then
            say "The configuration stays as it is; for --open set open = true under [web] in $SETTINGS/pointsman.toml."
        fi
        if [ "$speech" = yes ]; then
            say "The configuration stays as it is; for --speech set use = true under [speech] in $SETTINGS/pointsman.toml."
        fi
    fi
    if [ ! -e "$DATA/pointsman.toml" ]; then
        change ln -sfn "$SETTINGS/pointsman.toml" "$DATA/pointsman.toml"
    fi
}

install_file() {
    if ! cmp -s "$1" "$2"; then
        change install -m "${3:-0644}" "$1" "$2"
    fi
}

install_service() {
    local unit
    for unit in "${TABLE_UNITS[@]}"; do
        install_file "$system_files/$unit" "$UNITS/$unit"
    done
    if [ "$with_hub" = yes ]; then
        for unit in "${HUB_UNITS[@]}"; do
            install_file "$system_files/$unit" "$UNITS/$unit"
        done
        install_file "$system_files/pointsman-hub" "$COMMANDS/pointsman-hub" 0755
        if [ ! -e "$HUB_OPTIONS" ]; then
            say "The options of the hub, $HUB_OPTIONS"
            change install -D -m 0644 "$system_files/pointsman-hub.default" "$HUB_OPTIONS"
        fi
    fi
    change install -d /etc/udev/rules.d
    install_file "$system_files/70-pointsman.rules" "$RULES"
    install_file "$system_files/pointsman-table" "$COMMANDS/pointsman-table" 0755
    install_file "$system_files/pointsman-update" "$COMMANDS/pointsman-update" 0755
    install_file "$system_files/pointsman-code" "$COMMANDS/pointsman-code" 0755
    change install -d /etc/issue.d
    change ln -sfn /run/pointsman-code/screen "$SCREEN"
    echo "$source_folder" | write_file "$PROGRAM/source"
    change ln -sfn "$PROGRAM/current/bin/pointsman" "$COMMANDS/pointsman"
    tell_systemd daemon-reload
    if [ "$table_on" = yes ]; then
        change systemctl --quiet enable pointsman.service pointsman-backup.timer pointsman-update.path pointsman-code.service
    fi
    if [ "$hub_on" = yes ]; then
        change systemctl --quiet enable pointsman-hub.service pointsman-hub-backup.timer
    fi
    if [ -S /run/udev/control ]; then
        change udevadm control --reload
        change udevadm trigger --subsystem-match=tty
    fi
}

# What the package pointsman-wifi has: comitup's pages in four languages, the square on the screen, why it did not work.
install_wifi() {
    local file unit link
    if [ "$(with_wifi)" = no ]; then
        return
    fi
    change install -d "$WIFI_PAGES" "$(dirname "$WIFI_PROGRAM")" /etc/issue.d
    install_file "$system_files/wifi/wifi-told" "$WIFI_PROGRAM" 0755
    change install -D -m 0644 "$system_files/wifi/python/sitecustomize.py" "$(dirname "$WIFI_PROGRAM")/python/sitecustomize.py"
    for file in "$system_files"/wifi/pages/*.html; do
        install_file "$file" "$WIFI_PAGES/${file##*/}"
    done
    for link in pointsman-wifi/result pointsman-wifi/host pointsman-code/code; do
        change ln -sfn "/run/$link" "$WIFI_PAGES/${link#*/}"
    done
    change ln -sfn /run/pointsman-wifi/screen "$WIFI_SCREEN"
    if [ ! -e "$WIFI_SETTINGS" ]; then
        change install -m 0644 "$system_files/wifi/pointsman-wifi.conf" "$WIFI_SETTINGS"
    fi
    for unit in comitup comitup-web; do
        change install -D -m 0644 "$system_files/wifi/$unit.service.conf" "$UNITS/$unit.service.d/pointsman.conf"
    done
    tell_systemd daemon-reload
    tell_systemd try-restart comitup.service comitup-web.service
}

start_services() {
    if [ "$start" = no ] || ! systemd_runs; then
        return
    fi
    if [ "$table_on" = yes ]; then
        tell_systemd start pointsman-backup.timer pointsman-update.path
        start_service pointsman 'The table starts; a match that is on goes on after it'
        tell_systemd restart pointsman-code.service
    fi
    if [ "$hub_on" = yes ]; then
        tell_systemd start pointsman-hub-backup.timer
        start_service pointsman-hub 'The hub starts; tables play on meanwhile, and send it what it missed'
    fi
}

# Starts a service, also to have it run a new version; where that does not run, everything goes back to the one before.
start_service() {
    if [ "$changed" = no ] && systemctl --quiet is-active "$1"; then
        return
    fi
    say "$2"
    if change systemctl restart "$1"; then
        return
    fi
    if [ -n "${old_version:-}" ] && [ "$changed" = yes ] && { [ "$1" = pointsman ] || [ "$hub_before" = yes ]; }; then
        link_version "$old_version"
        if [ "$table_on" = yes ]; then
            change systemctl restart pointsman || true
        fi
        if [ "$hub_before" = yes ] && [ "$hub_on" = yes ]; then
            change systemctl restart pointsman-hub || true
        fi
        change rm -rf "$PROGRAM/versions/$new_version"
        give_up "the new version does not run (sudo journalctl -u $1); the one before is in use again."
    fi
    give_up "the service $1 does not start; sudo journalctl -u $1 says why."
}

tell_address() {
    local host
    host=$(hostname 2>/dev/null || cat /etc/hostname)
    cat <<TEXT

Pointsman is installed.
  On this machine:       http://127.0.0.1:$PORT/
  For everybody in the network, once a phone has set it up: https://$host.local:$PORT/
  A code for that phone: sudo pointsman-table pin --code
  What it says:          journalctl -u pointsman, and systemctl status pointsman
  Commands of the table: sudo pointsman-table doctor
TEXT
    if [ "$with_hub" = yes ]; then
        cat <<TEXT
The hub of a club is a service of its own, pointsman-hub.
  Its pages:             https://$host.local:$HUB_PORT/
  The director's PIN:    sudo pointsman-hub hub pin    (the first one, and another one for one that was forgotten)
  Its options:           $HUB_OPTIONS
  What it says:          journalctl -u pointsman-hub, and systemctl status pointsman-hub
The table has the port $PORT, the hub has $HUB_PORT, $((HUB_PORT + 1)) and 8883, so both run on this machine side by side.
TEXT
    fi
}

# The code by which a phone sets a new table up, while that runs; a table that has a director keeps its own.
show_code() {
    if [ "$table_on" = no ] || ! systemctl --quiet is-active pointsman 2>/dev/null ||
        "${as_root[@]}" grep -q '"director": "[^"]' "$DATA/.pointsman-keys.json" 2>/dev/null; then
        return
    fi
    echo
    as_owner sh -c "cd '$DATA' && '$PROGRAM/current/bin/pointsman' pin --code" || true
}

# --- taking it away ----------------------------------------------------------------------------------------

uninstall() {
    local unit units=(pointsman.service pointsman-backup.timer)
    for unit in pointsman-update.path pointsman-code.service; do
        if [ -e "$UNITS/$unit" ]; then
            units+=("$unit")
        fi
    done
    if [ -e "$UNITS/pointsman-hub.service" ]; then
        units+=(pointsman-hub.service pointsman-hub-backup.timer)
    fi
    if systemd_runs; then
        change systemctl --quiet disable --now "${units[@]}" || true
    elif [ -e "$UNITS/pointsman.service" ]; then
        change systemctl --quiet disable "${units[@]}"
    fi
    for unit in "${TABLE_UNITS[@]}" "${HUB_UNITS[@]}"; do
        change rm -f "$UNITS/$unit"
    done
    change rm -f "$RULES" "$SCREEN" "$COMMANDS/pointsman-table" "$COMMANDS/pointsman-update" "$COMMANDS/pointsman-code" \
        "$COMMANDS/pointsman-hub" "$COMMANDS/pointsman"
    change rm -f "$WIFI_SCREEN" "$UNITS"/comitup{,-web}.service.d/pointsman.conf
    change rm -rf "$(dirname "$WIFI_PROGRAM")" "$(dirname "$WIFI_PAGES")"
    change rm -rf "$PROGRAM"
    tell_systemd daemon-reload
    cat <<TEXT
Pointsman is gone. What stays: the settings in $SETTINGS, board file and matches in $DATA, and the user $OWNER, to
whom they belong. ./install.sh takes them up again. To have them gone, too:
  sudo rm -r $SETTINGS $DATA && sudo userdel $OWNER
TEXT
    if [ -d "$HUB_DATA" ]; then
        cat <<TEXT
Of the hub there stay its options in $HUB_OPTIONS, all that it kept in $HUB_DATA, and the user $HUB_OWNER:
  sudo rm -r $HUB_OPTIONS $HUB_DATA && sudo userdel $HUB_OWNER
TEXT
    fi
}

# --- all of it ---------------------------------------------------------------------------------------------

main() {
    changed=no source_checked=no new_version='' old_version='' table_on=yes hub_on=no with_hub=no hub_before=no
    if [ "$task" = uninstall ]; then
        uninstall
        return
    fi
    check_machine
    check_source
    look_at_services
    install_packages
    check_source
    make_user
    make_folders
    take_over_hub
    install_program
    write_settings
    install_service
    install_wifi
    start_services
    if [ "$changed" = yes ]; then
        remove_old_versions
    fi
    change "$COMMANDS/pointsman-update" show
    if [ "$dry_run" = no ]; then
        tell_address
        show_code
    fi
}

main
