# Hoshi: everything there is to run. Each goal sets up what it needs; there is no other preparation.

.DEFAULT_GOAL := help
.PHONY: help dev operator test build fmt lint unit e2e bench clean

help: ## List the goals
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F '|' '{ printf "%-14s %s\n", $$1, $$2 }'

dev: ## Run Hoshi at http://localhost:8787 (PORT=... for another port)
	@scripts/dev.sh

operator: ## Make an account an operator: NAME=... (REMOVE=yes takes it back, REMOTE=yes in production)
	@scripts/operator.sh '$(NAME)'

test: ## Run every check: formatting, lints, tests, documentation, end-to-end
	@scripts/test.sh all

build: ## Build the Worker into build/ and tell its size
	@scripts/build.sh

fmt: ## Format the sources
	@scripts/test.sh format

lint: ## Check formatting and lints only
	@scripts/test.sh lint

unit: ## Run the tests that need no Worker
	@scripts/test.sh unit

e2e: ## Build the Worker and run the end-to-end tests
	@scripts/test.sh e2e

bench: ## Run the benchmarks
	@scripts/test.sh bench

clean: ## Remove what was built here; the tools in the cache stay
	rm -rf target build node_modules .wrangler
