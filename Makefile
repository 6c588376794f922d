# The commands of the project. `make demo` and `make test` work on a fresh Debian 12: they install what is missing,
# build in release mode and do their job. Everything else is CMake; see CMakePresets.json.

PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)
FUZZ_SECONDS ?= 60
SECONDS ?= 600
PREFIX ?= /usr/local

.PHONY: help demo test coq mutants python bench docs pages format tidy asan tsan doubt fuzz install package clean
.DEFAULT_GOAL := help

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo:  ## install what is missing, build, and show what the program does
	@tools/install-packages.sh build
	@tools/fetch-web.sh
	@tools/announce-build.sh build/release
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback_app
	@tools/demo.sh build/release

python:  ## install what is missing, build the Python package, and install it into build/python
	@tools/install-packages.sh build python
	@tools/fetch-web.sh
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback_python
	@tools/python-environment.sh build/release build/python
	@echo "build/python/bin/python has it: import rattleback as rb"

test:  ## install what is missing, build, and run every test
	@tools/install-packages.sh build test python
	@tools/fetch-web.sh
	@cmake --preset release > /dev/null
	@cmake --build --preset release
	@$(PYTHON) tools/run_tests.py build/release

# CHANGED= asks all models again; otherwise those whose text or Coq kernel is another one than that of their rows in tests/coq/rows.tsv.
CHANGED ?= --changed
coq:  ## write the decided verdicts of the zoo for Coq, have coqc check them, and write docs/reference/coq.md
	@tools/install-packages.sh build test
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback_app
	@$(PYTHON) tests/coq/check_zoo.py build/release/apps/rattleback/rattleback $(CHANGED) --folder build/coq --page docs/reference/coq.md

mutants:  ## change every comparison, sign and index of the trusted kernel, one at a time, and list what no test notices
	@tools/install-packages.sh build test mutants
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target run_mutants
	@tools/run-mutants.sh build/release

bench:  ## compare with SymPy, SciPy, GiNaC, Maxima, CVODE, Simbody and programs written by hand
	@tools/install-packages.sh build bench
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target benches
	@set -e; for source in bench/*.cpp; do \
	  name=$$(basename $$source .cpp); echo "== $$name"; build/release/bench/$$name; done

docs:  ## build, and write the documentation as static pages to build/docs
	@tools/install-packages.sh build docs
	@tools/fetch-web.sh
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback_app
	@$(PYTHON) tools/build_docs.py build/docs build/release/apps/rattleback/rattleback

pages:  ## build, and write the generated pages of docs/reference anew (ZOO=--zoo: the table of verdicts too)
	@tools/install-packages.sh build
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback_app
	@$(PYTHON) tools/write_pages.py build/release/apps/rattleback/rattleback $(ZOO)
	@$(PYTHON) tools/write_python_page.py

asan:  ## run every test under the address and undefined behaviour sanitizers
	@tools/install-packages.sh build test
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan
	@$(PYTHON) tools/run_tests.py build/asan

tsan:  ## run the parallel parts (sweeps, native code, shared graph) under the thread sanitizer
	@tools/install-packages.sh build test
	@cmake --preset tsan > /dev/null
	@cmake --build --preset tsan
	@TSAN_OPTIONS=suppressions=$(CURDIR)/tools/thread-sanitizer.supp $(PYTHON) tools/run_tests.py build/tsan -R '^units/(sweep|native|algebra/expression)|^processes/sweep'

tidy:  ## run clang-tidy over our code
	@tools/install-packages.sh build test dev
	@cmake --preset tidy > /dev/null
	@cmake --build --preset tidy

format:  ## format our code
	@tools/install-packages.sh dev
	@git ls-files -z --cached --others --exclude-standard '*.cpp' '*.cc' '*.hpp' | xargs -0 -r clang-format-14 -i

doubt:  ## try to break every statement about the zoo, then about random models for SECONDS (600)
	@tools/install-packages.sh build
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback_app
	@$(PYTHON) tools/doubt.py build/release/apps/rattleback/rattleback $(SECONDS)

fuzz:  ## fuzz each target of tests/fuzz for FUZZ_SECONDS (60)
	@tools/install-packages.sh build test dev
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz
	@tools/fuzz.sh build/fuzz $(FUZZ_SECONDS)

install:  ## build, and install under PREFIX (/usr/local)
	@tools/install-packages.sh build
	@tools/fetch-web.sh
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback rattleback_app
	@cmake --install build/release --prefix $(PREFIX)

package:  ## build, and make a package for Debian in build/release
	@tools/install-packages.sh build package
	@tools/fetch-web.sh
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target rattleback rattleback_app
	@cd build/release && cpack

clean:  ## remove everything built
	@rm -rf build
