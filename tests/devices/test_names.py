"""What people call a camera or a port."""

from controller.devices.names import plain_name
from tests.rows import each_row


@each_row(
    ("path", "name"),
    [
        ("/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_5A2BCD01-video-index0", "HD Pro Webcam C920"),
        ("/dev/v4l/by-id/usb-Sonix_Technology_Co.__Ltd._USB_2.0_Camera_SN0001-video-index0", None),
        ("/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", "USB Serial"),
        (
            "/dev/serial/by-id/usb-Arduino__www.arduino.cc__0043_85430353531351B0F1A2-if00",
            "Arduino www.arduino.cc 0043",
        ),
        ("/dev/video0", "/dev/video0"),
        ("http://camera.local/stream", "http://camera.local/stream"),
        ("auto", "auto"),
    ],
)
def test_a_device_is_called_by_what_it_is(path: str, name: str | None) -> None:
    told = plain_name(path)
    assert told == name if name is not None else "USB 2.0 Camera" in told
    assert "_" not in told or told == path
