#!/usr/bin/env python3
"""Checks who includes whom in ovf_core.

A folder of include/ovf or src is a layer and may include itself and the layers before it.
Public headers may include the standard library, Eigen and "ovf/...", nothing else: every other
library stays inside a .cpp file.
"""

import re
import sys
from pathlib import Path

LAYERS = ["config", "math", "model", "posterior", "regression", "learning", "filter", "estimator",
          "vision", "recording", "evaluation"]
CORE = Path(__file__).resolve().parent.parent / "ovf_core"
PUBLIC, PRIVATE = CORE / "include" / "ovf", CORE / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
PUBLIC_SYSTEM_HEADER = re.compile(r"[a-z_0-9]+|(unsupported/)?Eigen/\w+")  # <vector>, <Eigen/Core>


def layer_of(path):
    """The layer a file lies in, or None outside of the layers."""
    for root in (PUBLIC, PRIVATE):
        if root in path.parents:
            folder = path.relative_to(root).parts[0]
            return folder if folder in LAYERS else None
    return None


def target_of(file, name):
    """The file of this project that `name` stands for in `file`, or None."""
    for root in (file.parent, PRIVATE, PUBLIC.parent):
        candidate = (root / name).resolve()
        if candidate.is_file() and CORE in candidate.parents:
            return candidate
    return None


def complaint(file, quote, name):
    """What is wrong with one include line, or None."""
    public = PUBLIC in file.parents
    if public and quote == "<" and not PUBLIC_SYSTEM_HEADER.fullmatch(name):
        return "a public header includes only the standard library, Eigen and \"ovf/...\""
    if public and quote == '"' and not name.startswith("ovf/"):
        return "a public header includes its neighbours as \"ovf/...\""
    if quote == "<" and not name.startswith("ovf/"):
        return None
    target = target_of(file, name)
    if target is None:
        return "no such file in ovf_core; other libraries go in <...>"
    own, other = layer_of(file), layer_of(target)
    if other is None:
        return "not in a layer"
    if LAYERS.index(other) > LAYERS.index(own):
        return f"{own} comes before {other}"
    return None


def main():
    findings = []
    files = [file for root in (PUBLIC, PRIVATE) for suffix in ("hpp", "cpp")
             for file in sorted(root.rglob(f"*.{suffix}"))]
    for file in files:
        where = file.relative_to(CORE.parent)
        if layer_of(file) is None:
            findings.append(f"{where}: not in a layer; the layers are {' '.join(LAYERS)}")
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            problem = complaint(file, *match.groups()) if match else None
            if problem:
                findings.append(f"{where}:{number}: {match.group(2)}: {problem}")
    print("\n".join(findings), end="\n" if findings else "", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
