"""Loads a file with dsshell."""

import json
import re
import subprocess
from dataclasses import dataclass, field

from .cells import Number

TIMEOUT = 120
# `t: 3 objects, 2 keys (a integer, b string), CSV with ';', UTF-8`
FORMAT = re.compile(r"objects?, (?:[\d,]+ keys?(?: \(.*?\))?, )?([^,]*)")


@dataclass
class Loaded:
    rows: list = field(default_factory=list)
    format: str = ""
    rejected: int = 0
    notes: list = field(default_factory=list)
    error: str = ""


class Shell:
    def __init__(self, program):
        self.program = str(program)

    def load(self, path):
        """The rows of a file, with numbers as they are written."""
        quoted = str(path).replace("\\", "\\\\").replace('"', '\\"')
        # The report of the load is in plain text, and complete; the rows are JSON on one line.
        commands = f'let t = load "{quoted}"; mode json; objects t'
        try:
            done = subprocess.run([self.program, "-c", commands],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return Loaded(error=f"no result in {TIMEOUT} s")
        output = done.stdout.decode("utf-8", "replace").removesuffix("\n")
        if done.returncode != 0:
            message = done.stderr.decode("utf-8", "replace").splitlines()
            return Loaded(error=(message or [f"exit code {done.returncode}"])[0])
        report, rows = output.rsplit("\n", 1)
        summary, *notes = report.split("\n")
        rejected = re.search(r"^  ([\d,]+) rows? rejected", report, re.MULTILINE)
        return Loaded(
            rows=json.loads(rows, parse_int=Number, parse_float=Number),
            format=FORMAT.search(summary)[1], notes=[note.strip() for note in notes],
            rejected=int(rejected[1].replace(",", "")) if rejected else 0)

    def run(self, commands):
        """Runs commands one after another; returns the first error, "" without one."""
        try:
            done = subprocess.run([self.program, "-c", "\n".join(commands)], timeout=TIMEOUT,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return f"no result in {TIMEOUT} s"
        if done.returncode == 0:
            return ""
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        errors = [line for line in lines if "error: " in line] or lines
        return (errors or [f"exit code {done.returncode}"])[0]
