# `make demo` and `make test` set up what they need, in $(VENV).
PYTHON      ?= python3
VENV        ?= .venv
PY          := $(VENV)/bin/python
export WEBURL_DATA ?= $(abspath $(wildcard ../shared))
COMPILED    := setup.py pyproject.toml $(wildcard $(foreach kind,py pyx pxd h,src/weburl/*.$(kind) src/weburl/*/*.$(kind) src/weburl/*/*/*.$(kind) src/weburl/*/*/*/*.$(kind)))
# Each is a module of tests/tiers, with an argument or none: make differential N=100000, make fuzz T=600.
TIERS       := agreement key-agreement bulk-agreement engine-agreement psl-agreement pattern-regexps round-trip memory bombs differential pattern-agreement route-agreement links-agreement redaction fuzz sanitize complexity leaks no-memory narrow emulated pythons oldest cross musl threads seeded-faults

.PHONY: demo demo-crawl dev test test-engines bench lint docs release-check clean $(TIERS)
demo: dev
	$(PY) benchmarks/demo.py

demo-crawl: dev
	grep -E '^(aiohttp|scrapy)=' tests/engines/requirements.txt | xargs $(PY) -m pip install -q --only-binary :all: selectolax
	$(PY) benchmarks/demo_crawl.py

dev: $(VENV)/.built

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install -q --upgrade pip && $(PY) -m pip install -q --group dev
	touch $@

$(VENV)/.built: $(VENV)/.installed $(COMPILED)
	env -u WEBURL_OFFSET_BITS $(PY) -m pip install -q --no-build-isolation --editable '.[encodings,psl]'
	touch $@

test: dev
	$(PY) -m pytest -n auto --maxprocesses 8 --dist worksteal $(TESTS)

test-engines: dev
	$(PY) -m pip install -q --only-binary :all: --no-binary pyspark -r tests/engines/requirements.txt
	-mkdir -p build/axe && cp tests/engines/package.json build/axe && npm install --silent --prefix build/axe
	$(PY) -m pytest tests/engines $(TESTS)

$(TIERS): dev
	PYTHONPATH=$(abspath tests) $(PY) -m tiers.$(subst -,_,$@) $(N)$(T)$(TESTS)

bench: dev
	-xargs -n 1 $(PY) -m pip install -q --only-binary :all: < benchmarks/requirements.txt
	-mkdir -p build/javascript && cp benchmarks/package.json build/javascript && npm install --silent --prefix build/javascript
	$(PY) benchmarks/bench.py $(BENCH) && $(PY) benchmarks/bench_bulk.py $(BENCH) && $(PY) benchmarks/bench_patterns.py $(BENCH)

lint: dev
	$(VENV)/bin/ruff check && $(VENV)/bin/ruff format --check && $(VENV)/bin/mypy

docs: dev
	$(PY) -m pip install -q -r docs/requirements.txt && $(PY) -m sphinx -qW --keep-going docs build/docs

release-check: dev
	$(PY) .ci/release_check.py

clean:
	rm -rf $(VENV) build dist .*_cache .hypothesis src/*.egg-info src/weburl/*.so src/weburl/*/*.so src/weburl/*/*/*.so src/weburl/*/*/*/*.so
