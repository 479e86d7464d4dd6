from pathlib import Path

import pytest

from scrubjay.app import Workspace
from scrubjay.places import folder_for

pytestmark = pytest.mark.slow


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    root = tmp_path / "tree"
    (root / "out").mkdir(parents=True)
    (root / "a.py").write_text("def numbat():\n    return 1\n")
    (root / "empty.py").write_text("")
    (root / "out/b.py").write_text("b = 1\n")
    (root / "photo.png").write_bytes(b"\x89PNG")
    (root / ".gitignore").write_text("# built\nout/\n")
    return root


def test_why_names_state_rule_and_reason(tree: Path):
    workspace = Workspace(folder_for(tree))
    workspace.index([tree])

    def why(path: Path):
        return workspace.why(path)

    indexed = why(tree / "a.py")
    assert indexed.verdict == "is indexed in 1 chunks"
    assert indexed.file is not None
    assert indexed.file.content_hash is not None
    assert indexed.is_current is True
    assert why(tree / "empty.py").verdict.endswith("empty")
    ignored = why(tree / "out/b.py")
    assert ignored.rule is not None
    assert (ignored.rule.line, ignored.rule.pattern) == (2, "out/")
    assert ignored.rule.source.endswith(".gitignore")
    assert "because the folder out/ is" in ignored.verdict
    assert "not a listed kind" in why(tree / "photo.png").verdict
    assert why(tree / "nothing.py").verdict == "is not there"
    assert why(tree).verdict == "is a folder whose files are looked at"
    assert why(tree.parent / "x").root is None
    (tree / "new.py").write_text("new = 1\n")
    assert "no run has seen it" in why(tree / "new.py").verdict
    (tree / "a.py").unlink()
    assert "the next run forgets it" in why(tree / "a.py").verdict
