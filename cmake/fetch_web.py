#!/usr/bin/env python3
"""Fetch what pages and their tests need from the npm registry into build/web: KaTeX, which sets the formulas of reports,
and the driver of the browser tests.

    fetch_web.py

web/package-lock.json says which versions, and which bytes: what does not match its checksum is not used. Neither npm nor node is
needed. Without a network the program is built all the same and shows formulas as text.
"""

import base64
import hashlib
import io
import json
import shutil
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REGISTRY = "https://registry.npmjs.org"
NEEDED = ["katex", "playwright-core"]  # commander, which katex's command line wants, is not used


def fetched(name, package):
    """The archive, or nothing when it is not what the lock file says."""
    address = f"{REGISTRY}/{name}/-/{name}-{package['version']}.tgz"
    with urllib.request.urlopen(address, timeout=60) as answer:
        archive = answer.read()
    kind, _, wanted = package["integrity"].partition("-")
    if base64.b64encode(hashlib.new(kind, archive).digest()).decode() != wanted:
        raise ValueError(f"{address} is not what web/package-lock.json expects")
    return archive


def unpack(archive, folder):
    """An archive of npm has everything in one folder, mostly called `package`."""
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files.getmembers():
            inside = Path(*Path(member.name).parts[1:])
            if member.isfile() and ".." not in inside.parts:
                (folder / inside).parent.mkdir(parents=True, exist_ok=True)
                (folder / inside).write_bytes(files.extractfile(member).read())


def main():
    lock, folder = ROOT / "web" / "package-lock.json", ROOT / "build" / "web"
    stamp = folder / "fetched"
    if stamp.exists() and stamp.read_bytes() == lock.read_bytes():
        return 0
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    try:
        for name in NEEDED:
            unpack(fetched(name, packages[f"node_modules/{name}"]), folder / "node_modules" / name)
    except (OSError, ValueError, urllib.error.URLError, tarfile.TarError) as problem:
        print(f"{problem}: reports will show formulas as text")
        return 0
    stamp.write_bytes(lock.read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
