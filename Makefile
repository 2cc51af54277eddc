# Pointsman: `make demo` and `make test` set up whatever they need by themselves.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo film test quick test-long test-install test-packages test-arm check bench release deb image pages pictures docs firmware firmware-release flash pins train clean

VENV := .venv
# Where the system's packages for Python lie.
LGPIO := /usr/lib/python3/dist-packages
BIN := $(VENV)/bin
GAME := tests/data/game
OUT := demo-out
# Which evening `make demo` shows; the same number always shows the same one.
SEED := 8

# The newest Python on the path that is new enough; `make PYTHON=/path/to/python ...` names another.
PYTHON ?= $(shell for each in python3 python3.13 python3.12 python3.11; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; done)

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

help: ## list what can be made
	@echo 'Pointsman, a referee for real backgammon boards. Targets:'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 22

setup: $(VENV)/.dev ## system packages where missing, virtual environment, everything for the tests

demo: $(VENV)/.product ## a game on a simulated table: players, camera, dice, lights, referee, record
	@$(BIN)/pointsman demo --headless --games 1 --speed 0 --seed $(SEED) --cheat 3 --out $(OUT)

film: $(VENV)/.product ## the filmed game that ships with the project, found, followed and judged
	@mkdir -p $(OUT)
	@echo 'Looking for the board in the first two pictures ...'
	@$(BIN)/pointsman calibrate board --image $(GAME)/frames/00000.jpg --image $(GAME)/frames/00001.jpg \
		--debug $(OUT)/board.png --out $(OUT)/board.toml
	@echo 'Following the game ...'
	@$(BIN)/pointsman replay --board $(OUT)/board.toml --frames $(GAME)/frames --dice $(GAME)/dice.jsonl \
		--out $(OUT)/film-$$(date +%Y-%m-%d-%H%M%S)

# Four at a time for two processors: many tests wait for a process, a broker or a browser. The longest come first.
PYTEST := $(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder

test: $(VENV)/.dev ## all tests, four files at a time
	$(PYTEST) $(ARGS)

quick: $(VENV)/.dev ## before a commit: tests of every room that take a moment, a minute in all
	$(PYTEST) --quick $(ARGS)

check: $(VENV)/.dev ## formatting, lint, strict types, import direction, sentences of the pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --quiet tests/test_imports.py tests/test_seams.py tests/test_prose.py

bench: $(VENV)/.dev ## speed and accuracy figures, as a table and as JSON; FILMS=folder, BOARDS=folder: of films, boards there, too
	FILMS='$(FILMS)' BOARDS='$(BOARDS)' $(BIN)/python -m tests.bench

release: $(VENV)/.release ## wheel and source in dist, checked; with TAG=v1.0.0 only if that is the version
	@version=$$(sed -n 's/^__version__ = "\(.*\)"/\1/p' controller/__init__.py); \
	[ -z '$(TAG)' ] || [ '$(TAG)' = "v$$version" ] || \
		{ echo "The tag is $(TAG), and the version is $$version (controller/__init__.py): let them agree." >&2; exit 1; }
	@rm -rf dist build/lib
	@$(BIN)/python -m build --outdir dist .
	@$(BIN)/python -m twine check --strict dist/*

deb: $(VENV)/.release ## packages for Debian and Raspberry Pi OS, 64-bit ARM and PC, in dist; needs the network
	@$(call need_packages,$(NEED_DEBHELPER))
	@for each in arm64 amd64; do PATH="$(CURDIR)/$(BIN):$$PATH" hardware_docs/system/build_packages.sh $$each dist; done

image: ## make image IMAGE=raspios-lite-arm64.img.xz: a card with the packages of make deb, dist/pointsman.img; root, network
	@[ -f '$(IMAGE)' ] || { echo 'Say which: make image IMAGE=/path/of/raspios-lite-arm64.img.xz' >&2; exit 2; }
	@$(call need_packages,$(NEED_IMAGE))
	@$$([ "$$(id -u)" = 0 ] || echo sudo) hardware_docs/system/make_image.sh '$(IMAGE)' dist dist/pointsman.img

pages: $(VENV)/.dev ## what the program knows, written into the pages anew: configuration, states of the referee
	$(BIN)/python -m tests.pages

pictures: $(VENV)/.docs ## the pictures of the pages made anew: screens, drawings, the moving one
	$(BIN)/python -m tests.web.screen_pictures
	$(BIN)/python -m hardware_docs.drawings
	$(BIN)/python -m hardware_docs.moving_picture

docs: $(VENV)/.docs ## the pages as a site with search, in build/site
	$(BIN)/mkdocs build --strict --quiet
	@echo 'Open build/site/index.html in a browser.'

firmware: ## the microcontroller's program and its simulator, with flash and RAM in bytes
	@$(call need_packages,$(NEED_FIRMWARE))
	@$(MAKE) --no-print-directory -C firmware

firmware-release: ## after a change of the firmware: its image and SHA-256, where the program has them
	@$(call need_packages,$(NEED_FIRMWARE))
	@$(MAKE) --no-print-directory -C firmware release

flash: ## upload it: make flash PORT=/dev/serial/by-id/... (firmware/README.md)
	@$(call need_packages,$(NEED_FIRMWARE) $(call need_program,avrdude))
	@$(MAKE) --no-print-directory -C firmware flash

# Files that try more there than in `make test` (tests/amounts.py), by themselves or with the matches of another.
MORE = $$(grep -rlE 'tests.amounts import|test_gnubg_reads import' tests --include='test_*.py')

test-long: $(VENV)/.dev $(VENV)/.train ## tests that take hours: of the training, with PyTorch, and more cases of others
	POINTSMAN_LONG_TESTS=1 $(BIN)/python -m pytest --timeout 0 tests/long $(MORE) $(ARGS)

test-install: ## install.sh in clean Debian 12 and 13, in both ways; needs root and the network
	@$(call need_packages,$(call need_program,mmdebstrap))
	@for each in trixie bookworm 'trixie --ribbon' 'bookworm --ribbon'; do \
		$$([ "$$(id -u)" = 0 ] || echo sudo) tests/install/clean_root.sh $$each; done

test-packages: deb $(VENV)/.dev ## the packages in clean Debian 12 and 13, and in an image that phones set up; root, network, an hour
	@$(call need_packages,$(NEED_IMAGE) $(call need_program,systemd-nspawn,systemd-container) $(call need_program,ip,iproute2))
	@for each in trixie bookworm; do for test in package_root image_root; do \
		$$([ "$$(id -u)" = 0 ] || echo sudo) tests/install/$$test.sh $$each dist; done; done
	@$$([ "$$(id -u)" = 0 ] || echo sudo) tests/install/wifi_root.sh bookworm dist

pins: $(VENV)/.product ## on a Raspberry Pi: gpiozero, and the system's lgpio, for the pins
	@$(call need_packages,$(call need_file,$(LGPIO)/lgpio.py,python3-lgpio))
	@$(PIP_INSTALL) 'gpiozero>=2.0.1.post3,<3'
	@ln -sf $(LGPIO)/lgpio.py $(LGPIO)/_lgpio.*.so "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

# As root, or as anybody where user namespaces are allowed (the package uidmap); what it fetches stays in build/arm.
test-arm: $(VENV)/.product ## the product on an emulated 64-bit ARM, beside this machine; network, some 10 minutes
	@$(call need_packages,$(NEED_ARM))
	@$(BIN)/python -m tests.arm

train: $(VENV)/.render ## the learned networks anew, from pictures that ship with the project and rendered ones
	$(BIN)/python -m calibration.training $(ARGS)

clean: ## everything that was made, the virtual environment too
	rm -rf $(VENV) $(OUT) build firmware/build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up -----------------------------------------------------------------------------------------------

# OpenCV loads libGL and GLib from the system; Debian packs Python's `venv` apart; the tests have gnubg, the
# program that players open match files with, read ours, Chromium show our pages, and node run the tests of
# their modules, and avrdude flash a simulated boot loader. apt is not asked where all is there already.
$(VENV)/.made:
	@[ -n '$(PYTHON)' ] || { echo 'Python 3.11 or newer is needed: install python3, then run make again.' >&2; exit 1; }
	@$(call need_packages,$(NEED_VENV) $(call need_library,libGL.so.1,libgl1) $(call need_library,libgthread-2.0.so.0,libglib2.0-0))
	@echo 'Making the virtual environment $(VENV) ...'
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.product: pyproject.toml constraints.txt $(VENV)/.made
	@echo 'Installing Pointsman ...'
	@$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.product
	@$(call need_packages,$(call need_program,gnubg) $(NEED_BROWSER) $(call need_program,avrdude) $(NEED_DEBHELPER) $(NEED_BROKER) $(NEED_NATS) $(NEED_NODE) $(NEED_FIRMWARE) $(NEED_KEYS) $(NEED_UNITS))
	@echo 'Installing what the tests need ...'
	@$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

$(VENV)/.release: pyproject.toml constraints.txt $(VENV)/.made
	@echo 'Installing what a release needs ...'
	@$(PIP_INSTALL) --editable '.[release]'
	@touch $@

$(VENV)/.docs: $(VENV)/.dev
	@echo 'Installing what the site and the drawings need ...'
	@$(PIP_INSTALL) --editable '.[docs]'
	@touch $@

$(VENV)/.train: $(VENV)/.product
	@echo 'Installing what training needs (PyTorch) ...'
	@$(PIP_INSTALL) --editable '.[train]'
	@touch $@

$(VENV)/.render: $(VENV)/.train
	@echo 'Installing what rendering needs (Blender, 0.5 GB, where the Python is 3.11) ...'
	@$(PIP_INSTALL) --editable '.[train,render]'
	@touch $@

# Each prints the name of a Debian package if what it brings is not there.
NEED_VENV = $$($(PYTHON) -c 'import ensurepip' 2>/dev/null || echo python3-venv)
# Builds the Debian packages, the small ones of the tests, too.
NEED_DEBHELPER = $(call need_program,dh,debhelper) $(call need_program,dpkg-buildpackage,dpkg-dev)
# Chromium without its windows, which costs the tests a third less; all of it where Debian's package does not fit.
NEED_BROWSER = $$(command -v chromium-headless-shell >/dev/null || \
	{ [ ! -e /etc/rpi-issue ] && grep -qx ID=debian /etc/os-release && echo chromium-headless-shell; } || \
	command -v chromium >/dev/null || echo chromium)
NEED_BROKER = $(call need_file,/usr/sbin/mosquitto,mosquitto)
NEED_NATS = $(call need_file,/usr/sbin/nats-server,nats-server)
# Says whether systemd takes a unit, also where no systemd runs.
NEED_UNITS = $(call need_program,systemd-analyze,systemd)
NEED_NODE = $$(command -v node >/dev/null || echo nodejs)
# The package evdev is compiled where it comes as source, which is everywhere but on x86-64.
NEED_KEYS = $$([ "$$(uname -m)" = x86_64 ] || echo python3-dev linux-libc-dev)
need_library = $$(PATH="$$PATH:/sbin:/usr/sbin" ldconfig -p | grep '$(1)' >/dev/null || echo $(2))
need_program = $$(PATH="$$PATH:/usr/games" command -v $(1) >/dev/null || echo $(or $(2),$(1)))

need_file = $$([ -e '$(1)' ] || echo $(2))

# A compiler for the microcontroller, and one for its simulator.
NEED_FIRMWARE = $(call need_file,/usr/bin/avr-gcc,gcc-avr) $(call need_file,/usr/lib/avr/include/avr/io.h,avr-libc) \
	$(call need_file,/usr/bin/gcc,gcc) $(call need_file,/usr/include/stdio.h,libc6-dev) \
	$(call need_file,/usr/include/simavr/sim_avr.h,libsimavr-dev) $(call need_file,/usr/include/libelf.h,libelf-dev)

# An emulator, and what makes a Debian of another processor.
NEED_ARM = $(call need_program,qemu-aarch64-static,qemu-user-static) $(call need_program,mmdebstrap) \
	$(call need_file,/usr/share/keyrings/debian-archive-keyring.gpg,debian-archive-keyring)

# Changes an image of a card, one of another processor, too.
NEED_IMAGE = $(call need_program,mmdebstrap) $(call need_file,/usr/sbin/sfdisk,fdisk) $(call need_file,/usr/sbin/resize2fs,e2fsprogs) \
	$(call need_program,qemu-aarch64-static,qemu-user-static)

# $(1): the packages to install, often none. Root installs them, anybody else through sudo.
define need_packages
packages="$$(echo $(1))"; \
if [ -n "$$packages" ]; then \
	as_root=''; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	if ! command -v apt-get >/dev/null || { [ -n "$$as_root" ] && ! command -v sudo >/dev/null; }; then \
		echo "Install these system packages as root, then run make again: $$packages" >&2; exit 1; \
	fi; \
	echo "Installing system packages: $$packages ..."; \
	$$as_root apt-get update -qq </dev/null || true; \
	$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$packages \
		</dev/null >/dev/null || { echo "apt cannot install $$packages; what it said stands above. Is there a network?" >&2; exit 1; }; \
fi
endef
