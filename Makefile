# `make demo` and `make test` set up what they need, in $(VENV).
PYTHON      ?= python3
VENV        ?= .venv
PY          := $(VENV)/bin/python
export WEBURL_DATA ?= $(abspath $(wildcard ../shared))
COMPILED    := setup.py pyproject.toml $(wildcard $(addprefix src/weburl/,*.py *.pyx *.pxd *.h))
# Preloaded: python itself is not instrumented.
SANITIZERS  = LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

.PHONY: demo dev test test-engines bench lint agreement differential sanitize clean
demo: dev
	$(PY) benchmarks/demo.py

dev: $(VENV)/.built

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install -q --upgrade pip && $(PY) -m pip install -q --group dev
	touch $@

$(VENV)/.built: $(VENV)/.installed $(COMPILED)
	$(PY) -m pip install -q --no-build-isolation --editable '.[encodings,psl]'
	touch $@

test: dev
	$(PY) -m pytest $(TESTS)

bench: dev
	-xargs -n 1 $(PY) -m pip install -q --only-binary :all: < benchmarks/requirements.txt
	$(PY) benchmarks/bench.py $(BENCH) && $(PY) benchmarks/bench_bulk.py $(BENCH)

lint: dev
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy

test-engines: dev
	$(PY) -m pip install -q --only-binary :all: --no-binary pyspark -r tests/engines/requirements.txt
	$(PY) -m pytest tests/engines $(TESTS)

agreement differential: dev
	$(PY) tests/$@.py $(N)

sanitize: dev
	WEBURL_SANITIZE=1 $(PY) setup.py -q build --build-base build/sanitize --build-lib build/sanitize/lib
	$(SANITIZERS) PYTHONPATH=build/sanitize/lib $(PY) -m pytest $(TESTS)

clean:
	rm -rf $(VENV) build dist .*_cache .hypothesis src/*.egg-info src/weburl/*.c src/weburl/*.so
