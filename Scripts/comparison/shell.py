"""Loads a file with dsshell."""

import json
import subprocess
from dataclasses import dataclass, field

from .cells import Number

TIMEOUT = 120


@dataclass
class Loaded:
    rows: list = field(default_factory=list)
    format: str = ""
    rejected: int = 0
    warnings: list = field(default_factory=list)
    error: str = ""

    def take_message(self, line):
        """Notes a line of standard error."""
        try:
            message = json.loads(line)
        except ValueError:
            self.error = self.error or line
            return
        if "error" in message:
            self.error = message["error"]
        elif "warning" in message:
            self.warnings.append(message["warning"])


class Shell:
    def __init__(self, program):
        self.program = str(program)

    def load(self, path, labels=""):
        """The rows of a file, with numbers as they are written."""
        quoted = str(path).replace("\\", "\\\\").replace('"', '\\"')
        commands = f'let t = load "{quoted}" {labels}; objects t'
        try:
            done = subprocess.run([self.program, "--output", "json", "-c", commands],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return Loaded(error=f"no result in {TIMEOUT} s")
        loaded = Loaded()
        for line in done.stderr.decode("utf-8", "replace").splitlines():
            loaded.take_message(line)
        lines = done.stdout.decode("utf-8", "replace").split("\n")
        if done.returncode != 0 or len(lines) < 2:
            loaded.error = loaded.error or f"exit code {done.returncode}"
            return loaded
        summary = json.loads(lines[0])
        loaded.format = summary.get("format", "")
        loaded.rejected = summary.get("rejected", 0)
        loaded.rows = json.loads(lines[1], parse_int=Number, parse_float=Number)
        return loaded

