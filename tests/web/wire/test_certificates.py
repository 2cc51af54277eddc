"""The authority of a machine and its certificates: believed for the machine's names, kept as long as they will do."""

import datetime
import socket
import ssl
import threading
from pathlib import Path

import pytest
from cryptography import x509

from controller.web.wire.authority import PRIVATE_KEY, YEARS, AuthorityError, OwnAuthority
from controller.web.wire.certificates import DAYS, LEFT_DAYS, Certificates

NAMES = ("table4", "table4.local", "localhost")
NOW = datetime.datetime.now(datetime.UTC)


def certificates(folder: Path, names: tuple[str, ...] = NAMES, days: int = 0) -> Certificates:
    authority = OwnAuthority.make(folder, "Pointsman table table4", NOW, NAMES)
    return Certificates(authority, folder, names, lambda: NOW + datetime.timedelta(days=days))


def shown_to(certified: Certificates, address: str, name: str) -> x509.Certificate:
    """What a browser that has installed the authority is shown. Raises SSLError if it does not believe it."""
    here, there = socket.socketpair()
    context = certified.context(address)

    def serve() -> None:
        try:
            context.wrap_socket(there, server_side=True).close()
        except OSError:
            there.close()

    thread = threading.Thread(target=serve)
    thread.start()
    client = ssl.create_default_context(cadata=certified.authority.pem)
    try:
        with client.wrap_socket(here, server_hostname=name) as spoken:
            return x509.load_der_x509_certificate(spoken.getpeercert(binary_form=True) or b"")
    finally:
        here.close()
        thread.join()


@pytest.mark.parametrize("name", [*NAMES, "192.168.7.4"])
def test_whoever_installed_the_authority_believes_every_name_and_address_of_the_table(
    tmp_path: Path, name: str
) -> None:
    assert shown_to(certificates(tmp_path), "192.168.7.4", name).serial_number


def test_an_address_that_the_table_was_given_meanwhile_is_vouched_for_when_somebody_comes_by_it(
    tmp_path: Path,
) -> None:
    known = certificates(tmp_path)
    shown_to(known, "192.168.7.4", "192.168.7.4")
    assert shown_to(known, "10.0.0.8", "10.0.0.8") != shown_to(certificates(tmp_path), "10.0.0.9", "10.0.0.9")
    assert shown_to(known, "::ffff:10.0.0.8", "192.168.7.4").serial_number


def test_a_certificate_outlives_the_program_since_browsers_ask_again_about_another_one(
    tmp_path: Path,
) -> None:
    first = shown_to(certificates(tmp_path), "127.0.0.1", "table4")
    assert shown_to(certificates(tmp_path), "127.0.0.1", "table4.local") == first


@pytest.mark.parametrize(("days", "same"), [(DAYS - LEFT_DAYS - 1, True), (DAYS - LEFT_DAYS + 1, False)])
def test_a_certificate_is_replaced_before_it_ends(tmp_path: Path, days: int, *, same: bool) -> None:
    certificates(tmp_path)
    first = (tmp_path / "server.crt").read_bytes()
    certificates(tmp_path, days=days)
    assert ((tmp_path / "server.crt").read_bytes() == first) is same


@pytest.mark.parametrize("running", [True, False])
def test_a_certificate_that_was_made_while_the_clock_was_years_ahead_is_replaced_once_it_is_right(
    tmp_path: Path, *, running: bool
) -> None:
    certificates(tmp_path)
    days = 3 * 365
    authority = OwnAuthority.make(tmp_path, "Pointsman table table4", NOW, NAMES)
    known = Certificates(authority, tmp_path, NAMES, lambda: NOW + datetime.timedelta(days=days))
    days = 0
    assert shown_to(known if running else certificates(tmp_path), NAMES[0], NAMES[0]).serial_number


def test_apple_takes_it(tmp_path: Path) -> None:
    """By https://support.apple.com/en-us/103769: names beside the subject, for servers, for 825 days at most."""
    shown = shown_to(certificates(tmp_path), "127.0.0.1", "table4")
    assert shown.not_valid_after_utc - shown.not_valid_before_utc <= datetime.timedelta(days=825)
    usage = shown.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert x509.ExtendedKeyUsageOID.SERVER_AUTH in usage
    assert shown.extensions.get_extension_for_class(x509.SubjectAlternativeName)


def test_a_stolen_key_vouches_for_no_shop(tmp_path: Path) -> None:
    known = certificates(tmp_path)
    known.context("127.0.0.1")
    certificate, key = _forged(known.authority, tmp_path)
    known._context = context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        shown_to(known, "127.0.0.1", "shop.example")


def _forged(authority: OwnAuthority, folder: Path) -> tuple[Path, Path]:
    """A certificate for a shop, as a thief would make it: nothing asks whether the authority may."""
    forging = type("Forging", (OwnAuthority,), {"may_vouch_for": lambda _, __: True})
    (folder / "forged").mkdir()
    thief = forging(authority.path, authority.certificate, authority._key)
    made: tuple[Path, Path] = thief.vouch(folder / "forged", ("shop.example",), NOW)
    return made


def test_a_name_that_the_authority_may_not_vouch_for_spoils_nothing(tmp_path: Path) -> None:
    more = certificates(tmp_path, (*NAMES, "table4.club.example"))
    assert shown_to(more, "127.0.0.1", "table4").serial_number
    assert not more.authority.may_vouch_for("table4.club.example")
    assert shown_to(more, "127.0.0.1", "table4") == shown_to(more, "127.0.0.1", "table4.local")


def test_files_that_hold_no_certificate_are_replaced(tmp_path: Path) -> None:
    certificates(tmp_path)
    (tmp_path / "server.crt").write_text("no certificate")
    assert shown_to(certificates(tmp_path), "127.0.0.1", "table4").serial_number


def test_a_key_without_a_certificate_gets_one_as_where_the_power_went_between_the_two(tmp_path: Path) -> None:
    first = OwnAuthority.make(tmp_path, "Pointsman table table4", NOW, NAMES)
    first.path.unlink()
    second = OwnAuthority.make(tmp_path, "Pointsman table table4", NOW, NAMES)
    assert second.certificate.public_key() == first.certificate.public_key()
    first.path.unlink()
    (tmp_path / PRIVATE_KEY).write_bytes(b"")
    third = OwnAuthority.make(tmp_path, "Pointsman table table4", NOW, NAMES)
    assert OwnAuthority.make(tmp_path, "Pointsman table table4", NOW, NAMES).pem == third.pem


def test_an_authority_that_is_over_is_told_in_a_sentence_with_the_way_out(tmp_path: Path) -> None:
    certificates(tmp_path)
    for years in (20, 21, 40):
        with pytest.raises(
            AuthorityError, match=r"ended on .*; set the clock right\. If it is right, remove"
        ):
            certificates(tmp_path, ("another",), days=366 * years)
    certificates(tmp_path, days=5)


def test_a_clock_that_jumps_decades_ahead_does_not_end_what_is_shown(tmp_path: Path) -> None:
    now = [NOW]
    authority = OwnAuthority.make(tmp_path, "Pointsman table table4", NOW, NAMES)
    known = Certificates(authority, tmp_path, NAMES, lambda: now[0])
    before = known.context("table4")
    now[0] += datetime.timedelta(days=366 * 20)
    assert known.context("table4") is before
    assert known.context("10.0.0.9") is before
    now[0] = NOW
    assert shown_to(known, "10.0.0.9", "10.0.0.9").serial_number


def test_in_the_last_days_of_the_authority_the_certificate_stays_the_same(tmp_path: Path) -> None:
    last = 365 * YEARS - 5
    known = certificates(tmp_path, days=last)
    assert known.context("table4") is known.context("table4")
    first = (tmp_path / "server.crt").read_bytes()
    certificates(tmp_path, days=last)
    assert (tmp_path / "server.crt").read_bytes() == first


def test_an_authority_that_is_made_before_the_clock_is_right_holds_when_it_is(tmp_path: Path) -> None:
    authority = OwnAuthority.make(
        tmp_path, "Pointsman table table4", datetime.datetime(1970, 1, 1, 0, 2, tzinfo=datetime.UTC), NAMES
    )
    known = Certificates(authority, tmp_path, NAMES, lambda: NOW)
    assert shown_to(known, "table4", "table4").serial_number
