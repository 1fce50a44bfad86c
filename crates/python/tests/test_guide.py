"""The notebooks of the guide, and the stubs."""

import os
import subprocess
import sys

import notebooks
import pytest


@pytest.mark.parametrize("path", sorted(notebooks.GUIDE.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_give_what_they_show(path, tmp_path, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    notebook = notebooks.executed(path)
    assert notebooks.text_of(notebook) == path.read_text()
    for file, text in notebooks.pages_of(notebook, path.stem).items():
        assert (notebooks.GUIDE / file).read_text() == text, file


def test_stubs_are_those_of_the_module():
    pytest.importorskip("mypy")
    pytest.importorskip("gymnasium")
    command = [sys.executable, "-m", "mypy.stubtest", "pacesim", "--ignore-disjoint-bases"]
    checked = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"})
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_module_is_typed_strictly():
    pytest.importorskip("mypy")
    pytest.importorskip("gymnasium")
    command = [sys.executable, "-m", "mypy", "--strict", "--package", "pacesim"]
    checked = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"})
    assert checked.returncode == 0, checked.stdout + checked.stderr
