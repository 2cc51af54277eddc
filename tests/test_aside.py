"""Work beside the program's own is done before the program ends."""

import subprocess
import sys

WORK = """
import time
from controller.aside import thread_aside
thread_aside(lambda: (time.sleep(0.5), print('loaded')), 'load').start()
"""


def test_the_end_waits_for_what_is_done_aside() -> None:
    said = subprocess.run([sys.executable, "-c", WORK], capture_output=True, text=True, check=True)
    assert said.stdout == "loaded\n"
