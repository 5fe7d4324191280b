#!/bin/bash -eu
# Builds each target of tests/tiers/fuzz_targets.py, which `make fuzz` runs, too. Those without Python need its library
# where they run, so they are left to `make fuzz`.
WEBURL_DEBUG=1 python3 -m pip install '.[encodings,psl]'
fuzz=tests/tiers/fuzz
for target in $(PYTHONPATH=tests python3 -m tiers.fuzz_targets --list); do
  # A target is a program of its own there, by its name.
  printf 'import sys\n\nsys.argv.insert(1, "%s")\nfrom tiers.fuzz_targets import main\n\nmain(mutates=False)\n' "$target" > "tests/fuzz_$target.py"
  (cd tests && compile_python_fuzzer "fuzz_$target.py" --paths . --hidden-import tiers.fuzz_targets)
  cp "$fuzz/url.dict" "$OUT/fuzz_$target.dict"
  printf '[libfuzzer]\nmax_len = 1048576\nlen_control = 0\n' > "$OUT/fuzz_$target.options"
done
