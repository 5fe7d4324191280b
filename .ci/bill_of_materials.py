"""What a release is made of, and its hashes: python .ci/bill_of_materials.py FOLDER

Beside the sdist and the wheels in the folder it writes weburl-VERSION.cdx.json, a bill of materials in CycloneDX of an
installed wheel and its dependencies, and SHA256SUMS, which `sha256sum --check` reads.
"""

import hashlib
import subprocess
import sys
import tempfile
import venv
from pathlib import Path


def write_bill(dist: Path, name: str) -> Path:
    """cyclonedx-py reads an environment that has the wheel, and nothing that is only there to install it."""
    bill = dist / f"{name}.cdx.json"
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, symlinks=True)
        python = Path(folder) / "bin" / "python"
        install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--only-binary", ":all:"]
        subprocess.run([*install, "--find-links", dist, name.replace("-", "==")], check=True)
        describe = [sys.executable, "-m", "cyclonedx_py", "environment", "--pyproject", "pyproject.toml"]
        describe += ["--output-reproducible", "--mc-type", "library", "--output-file", bill, python]
        subprocess.run(describe, check=True)
    return bill


def main(folder: str) -> None:
    dist = Path(folder)
    (sdist,) = dist.glob("weburl-*.tar.gz")
    bill = write_bill(dist, sdist.name.removesuffix(".tar.gz"))
    files = [bill, sdist, *sorted(dist.glob("weburl-*.whl"))]
    hashes = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (dist / "SHA256SUMS").write_text("".join(hashes))
    print("".join(hashes), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
