# From a fresh Debian 12 or Ubuntu 22.04/24.04 machine to a result: `make demo`, `make test`.

JOBS ?= $(shell nproc)
# ON turns compiler warnings into errors. CI does; a user's newer compiler must not stop the build.
WERROR ?= OFF
# Further arguments for the program that demo or bench runs.
ARGS ?=
# A commit: lint only the sources that changed since then. Empty: lint all of them.
SINCE ?=
# Folders of test/core, separated by spaces, whose tests test-asan builds. Empty: all of them.
FOLDERS ?=
# Of each fuzz target; a minute in all.
FUZZ_SECONDS ?= 12

# ccache serves if it is there and has a folder to write to, also what another checkout compiled.
export CCACHE_BASEDIR = $(CURDIR)
export CCACHE_NOHASHDIR = 1
ccache = $(shell { folder=$$(ccache -k cache_dir) && mkdir -p "$$folder" && test -w "$$folder" && \
  command -v ccache; } 2>/dev/null)
configure_options = -DOVF_WARNINGS_AS_ERRORS=$(WERROR) \
  $(addprefix -DCMAKE_CXX_COMPILER_LAUNCHER=,$(ccache))

space := $(subst ,, )
# $(call configure,preset,options): quiet unless it fails.
configure = mkdir -p build && cd ovf_core && \
  { cmake --preset $(1) $(configure_options) $(2) >../build/configure_$(1).log || \
    { cat ../build/configure_$(1).log; exit 1; }; }
# $(call build,preset,target)
build = cmake --build build/$(1) --parallel $(JOBS) --target $(2)
# $(call run_tests,preset,wrapper)
run_tests = cd ovf_core && $(2) ctest --preset $(1) --parallel $(JOBS)

.DEFAULT_GOAL := help
.PHONY: help dependencies demo test test-build test-release test-install test-command test-faults test-report test-ros test-asan test-tsan bench fuzz \
  lint format clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo '  Variables: JOBS=$(JOBS), WERROR=$(WERROR), ARGS="for the program that demo or bench runs"'

dependencies:
	@scripts/install_dependencies.sh build test

demo: dependencies ## Install what is missing, build, run the demonstration
	@$(call configure,release)
	@$(call build,release,ovf)
	@build/release/ovf demo $(ARGS)
	@$(call build,release,ovf_installed)
	@WERROR=$(WERROR) scripts/ros_workspace.sh build

test: test-release test-install test-command test-report test-ros ## Install what is missing, build, run every test

test-build: dependencies
	@$(call configure,release)
	@$(call build,release,all)

test-release: test-build
	@$(call run_tests,release)

test-install: test-build ## Install to a temporary folder, build and run a program that uses it
	@test/system/installs_and_links.sh build/release

test-command: test-build ## Run the ovf command as a user would, mistakes included
	@test/system/ovf_command.sh build/release
	@test/system/exit_codes.sh build/release

test-faults: test-build ## Let every allocation, write, fsync and read of a replay and an evaluation fail once
	@test/system/fault_injection.sh build/release

test-report: test-build ## Open the report of the demonstration in a browser without a screen
	@test/system/report_in_browser.sh build/release

test-ros: test-build ## Build the nodes with colcon and test them, where ROS 2 is installed
	@WERROR=$(WERROR) scripts/ros_workspace.sh test

test-asan: dependencies ## Run the fast tests with the address and undefined behaviour sanitizers
	@$(call configure,asan,'-DOVF_TEST_FOLDERS=$(subst $(space),;,$(FOLDERS))' \
	  -DOVF_WITH_TORCH=$(if $(FOLDERS),$(if $(filter vision,$(FOLDERS)),AUTO,OFF),AUTO))
	@$(call build,asan,all)
	@$(call run_tests,asan)

# Thread sanitizer of GCC 12 does not start under strong address randomisation (Ubuntu 24.04).
test-tsan: dependencies ## Run the fast tests with the thread sanitizer
	@$(call configure,tsan)
	@$(call build,tsan,all)
	@$(call run_tests,tsan,$(shell setarch -R true 2>/dev/null && echo setarch -R))

bench: dependencies ## Build and run the benchmarks
	@scripts/install_dependencies.sh bench
	@$(call configure,release,-DOVF_BUILD_BENCHMARKS=ON)
	@$(call build,release,ovf_benchmarks)
	@for program in build/release/bench/ovf_*bench; do $$program $(ARGS) || exit 1; done

fuzz: dependencies ## Feed damaged files to everything that reads recordings, FUZZ_SECONDS for each
	@scripts/install_dependencies.sh fuzz
	@$(call configure,fuzz)
	@$(call build,fuzz,ovf_fuzzers)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz.sh build/fuzz/fuzz

lint: ## Check formatting, layers and clang-tidy
	@scripts/install_dependencies.sh build lint
	@$(call configure,lint)
	@JOBS=$(JOBS) SINCE=$(SINCE) scripts/lint.sh

format: ## Format all C++ files
	@scripts/install_dependencies.sh lint
	@scripts/format.sh

clean: ## Remove everything that was built
	rm -rf build
