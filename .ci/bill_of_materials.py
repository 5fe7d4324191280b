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

FORM = ("--mc-type", "library", "--output-reproducible")


def run(module: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


def write_bill(dist: Path, name: str) -> Path:
    """cyclonedx-py reads an environment that has the wheel, and nothing that is only there to install it."""
    bill, requirement = dist / f"{name}.cdx.json", name.replace("-", "==")
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, symlinks=True)
        python = Path(folder) / "bin" / "python"
        run("pip", "--python", python, "install", "-q", "--only-binary", ":all:", "--find-links", dist, requirement)
        run("cyclonedx_py", "environment", python, "--pyproject", "pyproject.toml", *FORM, "--output-file", bill)
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
