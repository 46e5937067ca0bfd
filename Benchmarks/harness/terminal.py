"""Programs with a prompt, typed into as a person would."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

# Sequences for styles and cursors.
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ROOT = Path(__file__).resolve().parent.parent.parent


def program(given):
    """The program to measure: the given one, else that of Scripts/build."""
    if given is not None:
        return given.resolve()
    built = subprocess.run([str(ROOT / "Scripts" / "build")], stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        sys.exit(built.returncode)
    return Path(built.stdout.strip())


class Terminal:
    """A program with a prompt, in a terminal of 80 columns and 24 rows."""

    def __init__(self, command, folder, environment=None):
        self.master, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "DSSHELL_HISTORY": "/dev/null",
                       **(environment or {})}
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=terminal, stdout=terminal, stderr=terminal, cwd=folder,
            env=environment, start_new_session=True,
            # The terminal controls the process: Ctrl-C sends a signal.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(terminal)
        self.text = ""
        # A read can end inside a character.
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        # The text that was expected last, as it was found.
        self.found = None

    def expect(self, pattern, seconds=120):
        """Waits for output, without its styles; returns the time at which it was read."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, SEQUENCE.sub("", self.text))):
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            if not ready:
                sys.exit(f"no {pattern!r} within {seconds} s in:\n{self.text[-2000:]}")
            self.text += self.decoder.decode(os.read(self.master, 1 << 16))
        arrived = time.monotonic()
        self.text = found.string[found.end():]
        self.found = found
        return arrived

    def drain(self, seconds):
        """Reads and forgets the output of some seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                os.read(self.master, 1 << 16)
        self.decoder.reset()
        self.text = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def close(self, last):
        """Types the last command. Returns the peak memory in KiB."""
        self.type(last)
        _, _, usage = os.wait4(self.process.pid, 0)
        os.close(self.master)
        return usage.ru_maxrss
