"""Runs the notebooks of the guide without Jupyter, keeps or compares their outputs, and renders them as pages of the book.

    python crates/python/tests/notebooks.py --bless     after a change of a notebook or of results

Results are the same on every machine, so the outputs are compared to the letter.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[3] / "docs/python"


def value_of(source, names):
    """Runs a cell and returns the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def outputs(source, names):
    """The outputs of a cell as Jupyter stores them."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        value = value_of(source, names)
    found = []
    if text := printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": text.splitlines(True)})
    if value is not None:
        data = {"text/plain": [repr(value)]}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(True)
        found.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    return found


def executed(path):
    """The notebook with the current outputs of its cells."""
    notebook = json.loads(path.read_text())
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = outputs("".join(cell["source"]), names)
    return notebook


def text_of(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def pages_of(notebook, name):
    """The notebook as a page, and its figures, by the names of their files."""
    files, parts = {}, []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/svg+xml" in data:
                figure = f"{name}-{len(files) + 1}.svg"
                files[figure] = "".join(data["image/svg+xml"])
                parts.append(f"![{''.join(data['text/plain']).strip('<>')}]({figure})")
            else:
                text = "".join(output.get("text") or data["text/plain"]).rstrip("\n")
                parts.append(f"```text\n{text}\n```")
    parts.insert(1, f"The notebook [{name}.ipynb]({name}.ipynb) as a page, with its outputs.")
    return files | {f"{name}.md": "\n\n".join(parts) + "\n"}


if __name__ == "__main__" and "--bless" in sys.argv:
    for path in sorted(GUIDE.glob("*.ipynb")):
        notebook = executed(path)
        path.write_text(text_of(notebook))
        for file, text in pages_of(notebook, path.stem).items():
            (GUIDE / file).write_text(text)
