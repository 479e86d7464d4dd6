"""Make the model `minilm-384` from nothing: `python tools/train_late`, see docs/models.md.

Makes its own environment in the work folder, fetches the weights and the packages of
`tools/train_static`, tunes, measures, exports and writes the artefact. Can be stopped and run
again: what was fetched, harvested and learnt is kept in the work folder.
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
ARTEFACT = REPOSITORY / "src" / "scrubjay" / "models" / "data" / "minilm-384"
MARK = "SCRUBJAY_TRAINING_ENVIRONMENT"


def main() -> None:
    """Parse the command line, enter the environment, run."""
    parser = argparse.ArgumentParser(prog="python tools/train_late", description=__doc__)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "build" / "train_late")
    parser.add_argument(
        "--packages",
        type=Path,
        default=REPOSITORY / "build" / "train_static",
        help="work folder of tools/train_static, whose packages are read",
    )
    parser.add_argument("--out", type=Path, default=ARTEFACT)
    options = parser.parse_args()
    if MARK not in os.environ:
        raise SystemExit(_run_inside(options.work.resolve()))
    from build_late import build

    build(options.work.resolve(), options.packages.resolve(), options.out.resolve())


def _run_inside(work: Path) -> int:
    environment = work / "venv"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(environment, with_pip=True)
    requirements = str(HERE / "requirements.txt")
    subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", requirements], check=True)
    paths = os.pathsep.join([str(HERE), str(HERE.parent / "train_static"), str(REPOSITORY / "src")])
    variables = {**os.environ, MARK: "1", "PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    return subprocess.run(
        [str(python), str(HERE), *sys.argv[1:]], env=variables, check=False
    ).returncode


if __name__ == "__main__":
    main()
