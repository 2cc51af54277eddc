"""Who may send pictures, and who may have a code shown; everybody else is refused before anything is read."""

import json
import time
from collections.abc import Iterator

import httpx
import pytest

from controller.devices.camera.stills import StillWish
from controller.web.phone.routes import LARGEST, LARGEST_STILL, REFUSED, TOLD_S, WRONG
from tests.web.phone.phone_line import PhoneLine
from tests.web.phone.phone_table import PhoneTable, phone_table

JPEG = b"\xff\xd8\xff" + bytes(100_000)
LARGE = b"\xff\xd8\xff" + bytes(LARGEST)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PhoneTable]:
    with phone_table(tmp_path_factory.mktemp("phone"), "auto") as table:  # nobody takes the pictures away
        yield table


@pytest.fixture
def client(table: PhoneTable) -> Iterator[httpx.Client]:
    address = f"https://127.0.0.1:{table.pages.port}"
    with httpx.Client(base_url=address, verify=False, trust_env=False, timeout=60) as client:
        yield client


@pytest.fixture
def token(table: PhoneTable, client: httpx.Client) -> str:
    told = client.post("/api/v1/camera/claim", json={"code": table.pages.phone.new_code()})
    return str(told.json()["token"])


def test_each_picture_is_answered_with_what_the_table_wants(table: PhoneTable, token: str) -> None:
    with PhoneLine(table.pages.port) as line:
        line.send(json.dumps({"token": token, "language": "en"}))
        for _ in range(3):
            line.send_picture(JPEG)
            assert json.loads(line.recv()).keys() == {"size", "lock", "still", "seen"}
    assert table.pages.phone.line.take(0) == JPEG


def test_a_phone_that_wants_to_know_is_told_what_has_come_of_a_picture_that_takes_long(
    table: PhoneTable, token: str
) -> None:
    for wants in (True, False):
        with PhoneLine(table.pages.port) as line:
            line.send(json.dumps({"token": token, "language": "en", "pieces": wants}))
            line.send(json.dumps({"bytes": len(JPEG)}))
            for at in range(0, len(JPEG), 40_000):
                time.sleep(1.2 * TOLD_S)
                line.send(JPEG[at : at + 40_000])
            heard = [json.loads(line.recv()) for _ in range(3 if wants else 1)]
            assert [told.get("came") for told in heard] == ([40_000, 80_000, None] if wants else [None])
    assert table.pages.phone.line.take(0) == JPEG


def test_pictures_by_requests_are_answered_likewise(client: httpx.Client, token: str) -> None:
    sent = {"authorization": f"Bearer {token}", "x-battery": "0.5", "x-charging": "0"}
    answer = client.post("/api/v1/camera/picture", content=JPEG, headers=sent)
    assert answer.json().keys() == {"size", "lock", "still", "seen"}
    assert client.post("/api/v1/camera/picture", content=b"GIF89a", headers=sent).status_code == 422
    assert client.post("/api/v1/camera/picture", content=bytes(LARGEST + 1), headers=sent).status_code == 413


@pytest.mark.parametrize("token", ["wrong", "é", "x" * 1000])
def test_whoever_is_not_the_camera_sends_nothing(table: PhoneTable, client: httpx.Client, token: str) -> None:
    table.pages.phone.line.take(0)
    headers = {b"authorization": f"Bearer {token}".encode()}
    assert client.post("/api/v1/camera/picture", content=JPEG, headers=headers).status_code == 401
    with PhoneLine(table.pages.port) as line:
        line.send(json.dumps({"token": token}))
        assert line.closed_with() == REFUSED
    assert table.pages.phone.line.take(0) is None


@pytest.mark.parametrize(
    "said",
    [
        *(
            "no json",
            "[]",
            "{}",
            '{"bytes": -1}',
            '{"bytes": 999999999}',
            '{"bytes": "many"}',
            '{"battery": []}',
        ),
        *('{"bytes": 1e999}', '{"still": [1e999, 1]}', f'{{"battery": 1{"0" * 400}}}', "[" * 60_000),
    ],
)
def test_a_phone_that_talks_nonsense_is_sent_away_and_the_next_one_is_heard(
    table: PhoneTable, token: str, said: str
) -> None:
    with PhoneLine(table.pages.port) as line:
        line.send(json.dumps({"token": token}))
        line.send(said)
        assert line.closed_with() == WRONG
    with PhoneLine(table.pages.port) as line:
        line.send(json.dumps({"token": token}))
        line.send_picture(JPEG)
        assert line.recv()


def test_bytes_where_a_text_is_due_end_the_line(table: PhoneTable, token: str) -> None:
    with PhoneLine(table.pages.port) as line:
        line.send(json.dumps({"token": token}))
        line.send(JPEG[:100])
        assert line.closed_with() == WRONG


def test_only_the_page_of_the_camera_may_use_a_camera(client: httpx.Client) -> None:
    assert "camera=(self)" in client.get("/camera").headers["permissions-policy"]
    for path in ("/", "/setup", "/login"):
        assert "camera=()" in client.get(path).headers["permissions-policy"]


def test_the_code_is_shown_to_whoever_sits_at_the_table_and_to_nobody_else(client: httpx.Client) -> None:
    shown = client.post("/api/v1/setup/phone").json()
    assert shown["address"].endswith(f"/camera#{shown['code']}")
    assert client.get("/api/v1/setup/phone.svg").headers["content-type"] == "image/svg+xml"
    elsewhere = {"x-forwarded-for": "192.168.7.20"}
    assert client.post("/api/v1/setup/phone", headers=elsewhere).status_code == 403
    assert client.get("/api/v1/setup/phone.svg", headers=elsewhere).status_code == 403


def test_a_wrong_code_is_refused(client: httpx.Client) -> None:
    assert client.post("/api/v1/camera/claim", json={"code": "AAAAAAAA"}).status_code == 403


def test_a_still_comes_beside_the_others_once_it_was_asked_for(
    table: PhoneTable, client: httpx.Client, token: str
) -> None:
    line, sent = table.pages.phone.line, {"authorization": f"Bearer {token}", "x-still": "4032x3024"}
    line.still = StillWish(3, -2)
    answer = client.post("/api/v1/camera/picture", content=JPEG, headers=sent)
    assert answer.json()["still"] == {"number": 3, "stops": -2}
    assert line.still_size == (4032, 3024)
    for number, jpeg in ((2, b""), (3, LARGE), (3, JPEG)):
        answer = client.post("/api/v1/camera/still", params={"number": number}, content=jpeg, headers=sent)
        assert answer.status_code == 204
    assert line.take_still() == (StillWish(3, -2), LARGE)
    assert line.take_still() is None
    assert client.post("/api/v1/camera/picture", content=JPEG, headers=sent).json()["still"] is None


def test_what_is_no_still_is_refused(client: httpx.Client, token: str) -> None:
    sent = {"authorization": f"Bearer {token}"}
    for headers, number, jpeg, status in (
        ({"authorization": "Bearer nobody"}, 1, JPEG, 401),
        (sent, 1, b"GIF89a", 422),
        (sent, 0, JPEG, 422),
        (sent, 1, bytes(LARGEST_STILL + 1), 413),
    ):
        answer = client.post("/api/v1/camera/still", params={"number": number}, content=jpeg, headers=headers)
        assert answer.status_code == status


@pytest.mark.parametrize("still", ["0x3024", "4032", "axb", "999999x1"])
def test_a_size_that_no_camera_has_is_not_believed(
    table: PhoneTable, client: httpx.Client, token: str, still: str
) -> None:
    sent = {"authorization": f"Bearer {token}", "x-still": still}
    assert client.post("/api/v1/camera/picture", content=JPEG, headers=sent).status_code == 200
    assert table.pages.phone.line.still_size is None
