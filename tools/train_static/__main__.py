"""Make the model `static-256` from nothing: `python tools/train_static`, see docs/models.md.

Makes its own environment in the work folder, fetches the teacher and the packages, harvests pairs,
distils, trains, measures, and writes the artefact.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
ARTEFACT = REPOSITORY / "src" / "scrubjay" / "models" / "data" / "static-256"
MARK = "SCRUBJAY_TRAINING_ENVIRONMENT"


def main() -> None:
    """Parse the command line, enter the environment, run."""
    parser = argparse.ArgumentParser(prog="python tools/train_static", description=__doc__)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "build" / "train_static")
    parser.add_argument("--out", type=Path, default=ARTEFACT)
    options = parser.parse_args()
    if MARK not in os.environ:
        raise SystemExit(_run_inside(options.work.resolve()))
    from build import build

    build(options.work.resolve(), options.out.resolve())


def _run_inside(work: Path) -> int:
    environment = work / "venv"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(environment, with_pip=True)
    requirements = str(HERE / "requirements.txt")
    subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", requirements], check=True)
    paths = os.pathsep.join([str(HERE), str(REPOSITORY / "src")])
    variables = {**os.environ, MARK: "1", "PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    variables.setdefault("OMP_NUM_THREADS", "1")  # more threads wait for each other on small sums
    return subprocess.run(
        [str(python), str(HERE), *sys.argv[1:]], env=variables, check=False
    ).returncode


if __name__ == "__main__":
    main()
