"""The two sessions. Both take one command after another and return the time of their own timer."""

import json
import os
import re
import subprocess
from decimal import Decimal

from ..rounds import Failure
from ..terminal import Terminal

# A person types `load` without the commands that follow: unlike a script, it cannot decode ahead.
READY = r"ds> "
PATIENCE = 600


def values(text):
    """JSON with exact numbers."""
    return json.loads(text, parse_float=Decimal)


class Shell:
    """dsshell at its prompt."""

    def __init__(self, program, folder):
        self.terminal = Terminal([program, "--output", "json", "--plain"], folder)
        self.terminal.expect(READY)
        self.terminal.type("option pager off; timer on\r")
        self.terminal.expect(READY)

    def ask(self, command):
        """The seconds and the answer of one command."""
        self.terminal.type(command + "\r")
        # A warning is written after the answer; some errors have no time.
        self.terminal.expect(
            r'(?s)^(.*?)\r\n(?:([\d.]+) ms\r\n|\{"error"[^\r]*\r\n)ds> $', PATIENCE)
        found = self.terminal.found
        # The first line is the typed one; the progress of a long command precedes its answer.
        lines = [line.rsplit("\r", 1)[-1] for line in found[1].split("\r\n")[1:]]
        answers = [line for line in lines if not line.startswith('{"warning"')]
        if found[2] is None or not answers or answers[-1].startswith('{"error"'):
            raise Failure(f"failed: {command}\n{found[0].strip()}")
        return float(found[2]) / 1000, values(answers[-1])

    def ask_all(self, commands):
        """The sum of the seconds, and all answers."""
        results = [self.ask(command) for command in commands]
        return sum(time for time, _ in results), [answer for _, answer in results]

    def close(self):
        """Ends the session. Returns its peak memory in KiB."""
        # An edit that was not saved makes the prompt ask once.
        return self.terminal.close("quit\rquit\r")


class Peer:
    """DuckDB's command line program, with the table in memory or none."""

    END = "~"

    def __init__(self, program, folder, table=None):
        self.process = subprocess.Popen(
            [str(program), "-init", "/dev/null", "-json"], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8")
        if table is not None:
            # Decimals, so that sums are exact, and times without zones, which are faster.
            self._send(f"CREATE TABLE t AS SELECT * FROM read_csv('{table}', types = "
                       "{'amount': 'DECIMAL(9,2)', 'ratio': 'DECIMAL(9,6)', "
                       "'created': 'TIMESTAMP'});")
        self._send(".timer on")

    def ask(self, statement):
        """The seconds of one statement, and its rows as lists."""
        text = self._send(statement + ";")
        timed = re.search(r"^Run Time \(s\): real ([\d.]+).*\n\Z", text, re.M)
        # An error has a time, too.
        if timed is None or not text.startswith(("[", "Run Time")):
            raise Failure(f"failed: {statement}\n{text}")
        rows = json.loads(text[:timed.start()] or "[]", parse_float=Decimal,
                          object_pairs_hook=lambda pairs: [value for _, value in pairs])
        return float(timed[1]), rows

    def _send(self, text):
        self.process.stdin.write(f"{text}\n.print {self.END}\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == self.END + "\n":
                return "".join(lines)
            lines.append(line)
        raise Failure(f"DuckDB ended: {text}\n{''.join(lines)}")

    def close(self):
        """Ends the session. Returns its peak memory in KiB."""
        self.process.stdin.close()
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.stdout.close()
        return usage.ru_maxrss
