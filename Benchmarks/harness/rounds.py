"""Measures commands alternately, so that a noisy machine affects all of them."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

MEASURE = [sys.executable, "-I", "-S", str(Path(__file__).with_name("measure.py"))]


@dataclass
class Cost:
    wall: float
    cpu: float
    kibibytes: int


class Failure(Exception):
    pass


def run(command, folder):
    """Runs `command` and returns its cost and its standard output."""
    with tempfile.TemporaryDirectory() as scratch:
        out, err = Path(scratch, "out"), Path(scratch, "err")
        done = subprocess.run([*MEASURE, str(out), str(err), *command], cwd=folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        facts = json.loads(done.stdout)
        if facts.pop("status") != 0:
            raise Failure(f"failed: {command}\n{err.read_text(errors='replace')}")
        return Cost(**facts), out.read_text(encoding="utf-8")


# A tool that takes longer than this many seconds runs only in the first rounds.
PATIENCE, FEW = 2.5, 3


def measure(commands, folder, pairs, check, cold=()):
    """Runs every command of `commands` (by name) alternately, `pairs` times after a warm-up round.
    `check(name, text)` receives every output. The files in `cold` are dropped from the cache before
    each run. Returns the costs by name, fewer for slow tools."""
    costs = {name: [] for name in commands}
    rounds = dict.fromkeys(commands, pairs)
    for number in range(pairs + 1):
        for name, command in commands.items():
            if number > rounds[name]:
                continue
            for file in cold:
                forget(folder / file)
            cost, text = run(command, folder)
            check(name, text)
            if number > 0:
                costs[name].append(cost)
            elif cost.wall > PATIENCE:
                rounds[name] = min(pairs, FEW)
    return costs


def forget(path):
    """Drops a file from the cache of the operating system."""
    file = os.open(path, os.O_RDONLY)
    try:
        # Only pages that were written to disk can be dropped.
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(file)


def summary(costs, base):
    """Medians, and the medians of the ratios to `base` pair by pair."""
    def middle(fact):
        return median(getattr(cost, fact) for cost in costs)

    def ratio(fact):
        if base is None:
            return None
        return median(getattr(cost, fact) / getattr(other, fact)
                      for cost, other in zip(costs, base))

    facts = {fact: (middle(fact), ratio(fact)) for fact in ("wall", "cpu", "kibibytes")}
    return facts | {"runs": len(costs)}
