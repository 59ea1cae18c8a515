# The front interface, for people and for CI. Everything is built below build/; CMakePresets.json holds
# what each preset means.
.DEFAULT_GOAL := build
.SUFFIXES:
SHELL := /bin/bash
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Tests wait for servers and other programs a third of their time.
TEST_JOBS ?= $(shell expr $(JOBS) + $(JOBS) / 2)
PREFIX ?= /usr/local
BUILD := build/release

# ccache where it is installed and has a place to keep its cache.
ifeq ($(origin CMAKE_CXX_COMPILER_LAUNCHER),undefined)
ifneq ($(shell command -v ccache >/dev/null && [ -n "$$HOME" ] && [ -w "$$HOME" ] && echo yes),)
export CMAKE_C_COMPILER_LAUNCHER := ccache
export CMAKE_CXX_COMPILER_LAUNCHER := ccache
export CCACHE_BASEDIR ?= $(CURDIR)
endif
endif

.PHONY: build
build: setup-build ## the release build: build/release/xwalk
	@$(call configured,release) || cmake --preset release -DXWALK_BUILD_TESTS=OFF --log-level=WARNING
	@cmake --build --preset release -j $(JOBS)

.PHONY: static
static: setup-build ## one file without shared libraries: build/release/static/xwalk
	@$(call configured,release) || cmake --preset release -DXWALK_BUILD_TESTS=OFF --log-level=WARNING
	@cmake --build --preset release -j $(JOBS) --target xwalk_static

.PHONY: duckdb
duckdb: setup-duckdb ## the DuckDB extension: build/release/xwalk.duckdb_extension
	@cmake --preset release -DXWALK_BUILD_DUCKDB=ON $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DXWALK_BUILD_TESTS=OFF) --log-level=WARNING
	@cmake --build --preset release -j $(JOBS) --target xwalk_duckdb xwalk_parquet_plugin xwalk_stores_plugin

.PHONY: demo
demo: setup-demo ## the main job on real data
	@$(call configured,release) || cmake --preset release -DXWALK_BUILD_TESTS=OFF --log-level=WARNING
	@cmake --build --preset release -j $(JOBS) --target xwalk xwalk_parquet_plugin xwalk_stores_plugin
	@tools/demo.sh $(BUILD)/xwalk

.PHONY: test
test: setup-test ## every test: units, vectors, command line, Python oracles, consumer
	@$(call configure,release)
	@cmake --build --preset release -j $(JOBS)
	@rm -f $(BUILD)/tests.xml; ctest --preset release -j $(TEST_JOBS) --output-junit tests.xml $(CTEST_ARGS); status=$$?; \
	  [ ! -f $(BUILD)/tests.xml ] || python3 tools/slowest_tests.py $(BUILD)/tests.xml; exit $$status

.PHONY: lint
lint: setup-lint ## clang-format, clang-tidy and the layering of the modules
	@$(call configure,release)
	@cmake --build --preset release --target xwalk_generated
	@python3 tools/lint.py --build $(BUILD) --jobs $(JOBS) --clang-tidy $(or $(XWALK_DEPS),.deps)/venv/bin/clang-tidy

.PHONY: lint-deep
lint-deep: setup-lint ## lint with the static analyzer too, each source alone: minutes
	@$(call configure,release)
	@cmake --build --preset release --target xwalk_generated
	@python3 tools/lint.py --build $(BUILD) --jobs $(JOBS) --clang-tidy $(or $(XWALK_DEPS),.deps)/venv/bin/clang-tidy --deep

.PHONY: format
format: ## rewrites the sources as clang-format wants them
	@python3 tools/lint.py --fix

.PHONY: asan
asan: setup-test ## all tests under the address and undefined-behaviour sanitizers: program, plugins, module, extension
	@$(call configure,asan)
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan -j $(JOBS) $(CTEST_ARGS)

.PHONY: asan-quick
asan-quick: setup-test ## the tests of YSON, VARIANT, casts, YTsaurus and Skiff under both, with no more of the library than they need
	@$(call configure,asan-quick)
	@cmake --build --preset asan-quick -j $(JOBS) --target xwalk_yson_tests xwalk_variant_tests xwalk_hub_tests xwalk_yt_tests xwalk_skiff_tests
	@printf '%s\n' yt skiff hub variant yson | xargs -P $(JOBS) -I{} \
	  env LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0:intercept_tls_get_addr=0 \
	  build/asan-quick/tests/xwalk_{}_tests --gtest_brief=1 --gtest_filter='-*Nesting*'

.PHONY: tsan
tsan: setup-test ## the tests of several threads, of the library, the program and the module, under the thread sanitizer
	@$(call configure,tsan)
	@cmake --build --preset tsan -j $(JOBS) --target xwalk xwalk_parquet_plugin xwalk_python xwalk_io_tests
	@TSAN_OPTIONS=suppressions=$(CURDIR)/tests/threads/tsan.supp ctest --preset tsan -j $(JOBS) -R '^(threads|io)\.|^hostile\.(3|4|5|7|8a|10|12)$$' -E '^io\.(python|arrow_streams|odd_files|survive)' $(CTEST_ARGS)

.PHONY: ubsan
ubsan: asan ## the same, since both sanitizers run at once

.PHONY: bench
bench: bench-programs ## benchmarks: BENCH=filter chooses
	@for program in build/bench/bench/*_bench; do "$$program" --benchmark_filter='$(or $(BENCH),.)'; done

.PHONY: bench-compare
bench-compare: bench-programs setup-demo build ## xwalk compared with its peers, in turns: one table, ten minutes (COMPARE_ARGS=--update updates bench/README.md)
	@$(or $(XWALK_DEPS),.deps)/bench-venv/bin/python bench/compare.py build/release/xwalk \
	  --build build/bench $(COMPARE_ARGS)

.PHONY: rehearsal
rehearsal: setup-test setup-clusters build ## a large migration on Spark and Ray with failures, half an hour (REHEARSAL_ARGS="--rows N --update")
	@$(or $(XWALK_DEPS),.deps)/venv/bin/python bench/rehearsal.py build/release/xwalk $(REHEARSAL_ARGS)

.PHONY: bench-programs
bench-programs: setup-bench
	@cmake --preset release -B build/bench -DXWALK_BUILD_BENCH=ON -DXWALK_BUILD_TESTS=OFF \
	  -DXWALK_BUILD_CLI=OFF -DXWALK_BUILD_PARQUET=ON --log-level=WARNING
	@cmake --build build/bench -j $(JOBS)

.PHONY: fuzz
fuzz: setup-fuzz ## each fuzzer for FUZZ_SECONDS seconds (default 60)
	@$(call configured,fuzz) || cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz -j $(JOBS)
	@tools/fuzz.py run build/fuzz --seconds $(or $(FUZZ_SECONDS),60) $(FUZZ_ARGS)

.PHONY: fuzz-fast
fuzz-fast: setup-fuzz ## the same without the address sanitizer: many more inputs; FUZZ_ARGS=--sweep makes it most
	@$(call configured,fuzz-fast) || cmake --preset fuzz-fast --log-level=WARNING
	@cmake --build --preset fuzz-fast -j $(JOBS)
	@tools/fuzz.py run build/fuzz-fast --seconds $(or $(FUZZ_SECONDS),60) $(FUZZ_ARGS)

.PHONY: fuzz-merge
fuzz-merge: ## what `make fuzz` found that reaches something new goes to fuzz/corpus
	@tools/fuzz.py merge build/fuzz

.PHONY: fuzz-coverage
fuzz-coverage: setup-fuzz ## the lines that the corpora of the fuzzers reach, by module
	@$(call configured,fuzz-coverage) || cmake --preset fuzz-coverage --log-level=WARNING
	@cmake --build --preset fuzz-coverage -j $(JOBS)
	@tools/fuzz.py coverage build/fuzz-coverage $(FUZZ_ARGS)

.PHONY: truth
truth: setup-test build ## what the program says of conversions against what happens: TRIPS, SEED, JSON, PAIRS="--pair yt:lance"
	@$(or $(XWALK_DEPS),.deps)/venv/bin/python tests/truth/truth.py $(BUILD)/xwalk --trips $(or $(TRIPS),1000) \
	  --seed $(or $(SEED),1) $(if $(JSON),--json $(JSON)) $(PAIRS)
	@$(or $(XWALK_DEPS),.deps)/venv/bin/pytest -q --all --program $(BUILD)/xwalk tests/truth/meaning_test.py

.PHONY: torture
torture: setup-test ## kills, full disks, failing calls, engines, load: SEED, MINUTES or ROUNDS, TORTURE_ARGS="--only kills"
	@$(call configure,release)
	@cmake --build --preset release -j $(JOBS) --target xwalk xwalk_parquet_plugin xwalk_torture
	@$(or $(XWALK_DEPS),.deps)/venv/bin/python tests/torture/torture.py $(BUILD)/xwalk $(BUILD)/tests/libxwalk_torture.so \
	  --seed $(or $(SEED),1) $(if $(ROUNDS),--rounds $(ROUNDS),--minutes $(or $(MINUTES),10)) $(TORTURE_ARGS)

.PHONY: readers
readers: setup-readers ## asks every reader of docs/readers.md again, those in an environment of their own too
	@$(call configure,release)
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset release -R '^python\.reader' --verbose

.PHONY: findings
findings: ## runs what findings/README.md says of other software, half an hour: FINDINGS="NAME..." chooses
	@findings/run $(FINDINGS)

.PHONY: docs
docs: setup-docs setup-test build ## the documentation site, build/site/index.html, and the pages made from the program
	@$(or $(XWALK_DEPS),.deps)/venv/bin/pytest -q tests/cli/pages_test.py --update --program $(BUILD)/xwalk
	@$(or $(XWALK_DEPS),.deps)/venv/bin/python tools/site/build.py $(BUILD)/xwalk build/site
	@echo build/site/index.html

.PHONY: pictures
pictures: setup-test build ## takes the pictures of the README again: docs/pictures
	@$(or $(XWALK_DEPS),.deps)/venv/bin/python tools/site/pictures.py $(BUILD)/xwalk

.PHONY: install
install: build ## installs into PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

.PHONY: dist
dist: setup-test ## the files of a release, in dist/: source archive, wheels, Debian and conda packages, container, static program
	@$(call configure,release)
	@cmake --build --preset release -j $(JOBS)
	@cmake --build --preset release --target xwalk_static
	@tools/dist.sh all $(BUILD) dist

.PHONY: pip-source
pip-source: setup-build ## installs the source archive by pip into an environment of its own, and converts a file
	@rm -rf build/pip-source && mkdir -p build/pip-source && python3 -I -m venv build/pip-source/venv
	@tools/dist.sh source build/pip-source
	@XWALK_DEPS=$(or $(XWALK_DEPS),$(CURDIR)/.deps) build/pip-source/venv/bin/pip --quiet --disable-pip-version-check \
	  install build/pip-source/xwalk-*.tar.gz
	@printf '{a=1};{a=2};' >build/pip-source/rows.yson
	@cd build/pip-source && venv/bin/xwalk convert -q rows.yson rows.skiff
	@cd build/pip-source && venv/bin/python -c "import xwalk; assert xwalk.convert('rows.skiff', 'back.yson').rows == 2"

.PHONY: outdated
outdated: ## which libraries have newer versions than those that xwalk is built with
	@python3 tools/libraries.py outdated

.PHONY: lock
lock: setup-lock ## the hashes of all lists of packages from PyPI, after a version was changed
	@$(or $(XWALK_DEPS),.deps)/lock-venv/bin/python tools/lock.py tools/requirements-*.txt bench/requirements.txt

.PHONY: clean
clean: ## removes build/, keeps .deps
	@rm -rf build

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 10

.PHONY: setup-build setup-test setup-lint setup-docs setup-demo setup-fuzz setup-bench setup-duckdb setup-readers setup-clusters setup-lock
setup-build:
	@tools/setup.sh build
setup-test:
	@tools/setup.sh test
setup-lint:
	@tools/setup.sh test lint
setup-docs:
	@tools/setup.sh docs
setup-demo:
	@tools/setup.sh build demo
setup-fuzz:
	@tools/setup.sh build fuzz
setup-readers:
	@tools/setup.sh readers
setup-clusters:
	@tools/setup.sh clusters
setup-lock:
	@tools/setup.sh lock
setup-bench:
	@tools/setup.sh bench
setup-duckdb:
	@tools/setup.sh duckdb

# Whether a build folder is configured as its preset says now; a build folder may be older than that.
configured = [ build/$(1)/build.ninja -nt CMakePresets.json ]
# Configures a preset with its tests, once; afterwards the build itself sees when to do it again.
# `make build` leaves the tests out: they need more than the program does.
define configure
if ! $(call configured,$(1)) || grep -Eq '^XWALK_BUILD_(TESTS|DUCKDB):BOOL=OFF' build/$(1)/CMakeCache.txt; then \
  cmake --preset $(1) -DXWALK_BUILD_TESTS=ON -DXWALK_BUILD_DUCKDB=ON --log-level=WARNING; fi
endef
