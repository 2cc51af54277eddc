"""`pointsman-update` where a package has put Pointsman: apt is asked, and a table that does not start goes back."""

from pathlib import Path

import pytest

from tests.install.test_update import Machine, executable

APT = """#!/bin/sh
echo "apt-get $*" >>{root}/told
for word; do case $word in
    update) [ -e {root}/offline ] && {{ echo "E: Failed to fetch" >&2; exit 100; }} ;;
    install) [ -e {root}/half ] && {{ echo "E: dpkg was interrupted" >&2; exit 100; }} ;;
    pointsman=*) echo "${{word#*=}}" >{root}/installed ;;
esac; done
exit 0
"""
DPKG = """#!/bin/sh
case $1 in --compare-versions) exec /usr/bin/dpkg "$@" ;; esac
echo "dpkg $*" >>{root}/told
rm -f {root}/half
"""
DPKG_QUERY = """#!/bin/sh
if [ -e {root}/half ]; then state=iU; else state=ii; fi
echo "$state |pointsman|$(cat {root}/installed)"
echo "un |pointsman-hub|"
"""
APT_CACHE = """#!/bin/sh
while read -r version; do echo " pointsman | $version | file:/srv/apt ./ Packages"; done <{root}/offered
"""
SYSTEMCTL = """#!/bin/sh
echo "$*" >>{root}/told
case "$*" in
    *is-active*) [ "$(cat {root}/installed)" != "$(cat {root}/broken)" ] ;;
    *backup*) [ ! -e {root}/full ] ;;
esac
"""


@pytest.fixture
def table(tmp_path: Path) -> Machine:
    """A table of the package 1.0.0; its source of apt has that one, too."""
    programs = {
        "apt-get": APT,
        "apt-cache": APT_CACHE,
        "dpkg-query": DPKG_QUERY,
        "systemctl": SYSTEMCTL,
        "dpkg": DPKG,
    }
    for name, text in programs.items():
        executable(tmp_path / "bin" / name, text.format(root=tmp_path))
    (tmp_path / "opt/pointsman/current").mkdir(parents=True)
    (tmp_path / "var/lib/pointsman").mkdir(parents=True)
    for name, text in {"installed": "1.0.0", "offered": "1.0.0", "broken": "none"}.items():
        (tmp_path / name).write_text(f"{text}\n")
    return Machine(tmp_path)


def offer(table: Machine, *versions: str) -> None:
    (table.root / "offered").write_text("".join(f"{each}\n" for each in versions))


def installed(table: Machine) -> str:
    return (table.root / "installed").read_text().strip()


def test_a_newer_version_of_the_source_is_told(table: Machine) -> None:
    assert table.run("check") == 0
    assert (table.state["new"], table.state["outcome"]) == ("", "checked")
    offer(table, "1.10.0", "1.0.0", "1.9.0")
    assert table.run("check") == 0
    assert (table.state["new"], table.state["version"]) == ("1.10.0", "1.0.0")


def test_a_machine_whose_sources_lack_pointsman_says_so(table: Machine) -> None:
    offer(table)
    for word in ("check", "update"):
        assert table.run(word) == 1
        assert table.state["outcome"] == "no_apt_source"
    assert installed(table) == "1.0.0"


def test_an_update_makes_a_backup_keeps_changed_settings_and_leaves_the_way_back(table: Machine) -> None:
    offer(table, "1.0.0", "1.1.0")
    assert table.run("update") == 0
    assert installed(table) == "1.1.0"
    state = table.state
    assert (state["version"], state["before"], state["outcome"]) == ("1.1.0", "1.0.0", "updated")
    backup, update = table.told.index("pointsman-backup"), table.told.index("install pointsman=1.1.0")
    assert backup < update
    assert "--force-confold" in table.told
    assert "pointsman-hub" not in table.told
    assert table.run("back") == 0
    assert installed(table) == "1.0.0"
    assert (table.state["outcome"], table.state["new"]) == ("gone_back", "1.1.0")


def test_a_version_with_which_the_table_does_not_start_is_taken_back(table: Machine) -> None:
    offer(table, "1.0.0", "1.1.0")
    (table.root / "broken").write_text("1.1.0\n")
    assert table.run("update") == 1
    assert (table.state["outcome"], installed(table)) == ("not_installed", "1.0.0")


def test_without_a_backup_or_a_network_nothing_is_installed(table: Machine) -> None:
    offer(table, "1.0.0", "1.1.0")
    (table.root / "full").touch()
    assert table.run("update") == 1
    assert table.state["outcome"] == "backup_failed"
    (table.root / "full").unlink()
    (table.root / "offline").touch()
    assert table.run("update") == 1
    assert (table.state["outcome"], installed(table)) == ("offline", "1.0.0")


def test_without_an_older_version_in_the_source_there_is_no_way_back(table: Machine) -> None:
    assert table.run("back") == 1
    assert table.state["outcome"] == "no_version"


@pytest.mark.parametrize(("word", "version"), [("update", "1.2.0"), ("back", "1.0.0")])
def test_what_a_power_cut_left_half_installed_is_put_in_order_first(
    table: Machine, word: str, version: str
) -> None:
    offer(table, "1.0.0", "1.1.0", "1.2.0")
    (table.root / "installed").write_text("1.1.0\n")
    (table.root / "half").touch()
    assert table.run("check") == 0
    assert table.state["new"] == "1.2.0"
    assert table.run(word) == 0
    assert "dpkg --force-confold --configure --pending" in table.told
    assert installed(table) == version
