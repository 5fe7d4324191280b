#!/bin/bash -eu
# Builds each target of tests/tiers/fuzz_targets.py, which `make fuzz` runs, too. Those without Python need its library
# where they run, so they are left to `make fuzz`.
WEBURL_DEBUG=1 python3 -m pip install '.[encodings,psl]'
fuzz=tests/tiers/fuzz
# PyInstaller does not see what only compiled modules import, what is imported by name, nor data.
flags=(--paths . --collect-submodules weburl --hidden-import idna --hidden-import atheris --collect-all publicsuffixlist)
# By itself, so that a failure ends this script.
targets=$(PYTHONPATH=tests python3 -m tiers.fuzz_targets --list)
for target in $targets; do
  # A target is a program of its own there, by its name.
  printf 'import sys\n\nsys.argv.insert(1, "%s")\nfrom tiers.fuzz_targets import main\n\nmain(mutates=False)\n' "$target" > "tests/fuzz_$target.py"
  (cd tests && compile_python_fuzzer "fuzz_$target.py" "${flags[@]}")
  cp "$fuzz/url.dict" "$OUT/fuzz_$target.dict"
  printf '[libfuzzer]\nmax_len = 1048576\nlen_control = 0\n' > "$OUT/fuzz_$target.options"
done
