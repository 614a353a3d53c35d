# Entry points; `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# The JavaScript engine that renders pages, and what building it needs: see scripts/engine.
# Without make's flags, from which cargo would take how many jobs it may run.
ENGINE = unset MAKEFLAGS; eval "$$(scripts/engine)";

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

.PHONY: run
run: ## Build the product and serve it at http://127.0.0.1:8080
	@scripts/setup run
	@$(ENGINE) cargo build --release --locked $$MATRICULA_FEATURES
	@MATRICULA_DEVELOPMENT=$${MATRICULA_DEVELOPMENT:-true} MATRICULA_LOG_FORMAT=$${MATRICULA_LOG_FORMAT:-text} target/release/matricula

.PHONY: dev
dev: ## Serve it, with every saved client file on the page at once
	@scripts/setup run
	@$(ENGINE) cargo build --locked $$MATRICULA_FEATURES
	@node scripts/dev.mjs target/debug/matricula

# Clippy compiles in place of rustc here, so that one build serves the lints and the tests.
check test: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
check test: export CLIPPY_ARGS := -D__CLIPPY_HACKERY__warnings

.PHONY: check
check: ## Format, lints, types, layers, stale generated files, licences
	@scripts/setup check
	cargo fmt --check
	npx prettier --check --log-level warn .
	npx oxlint --quiet client deploy ssr scripts tests/e2e tests/oidc bench
	npx tsc --noEmit
	npx tsc -p tests/e2e
	npx vitest run --reporter=dot client/layers.test.ts
	node scripts/texts.mjs --check
	node scripts/generate-reference.mjs --check
	node scripts/generate-client.mjs --check
	node scripts/licences.mjs
	@scripts/audit --at-hand
	@$(ENGINE) cargo build --locked --workspace --all-targets $$MATRICULA_FEATURES
	@$(ENGINE) cargo test --locked --quiet --workspace $$MATRICULA_FEATURES --lib --test it -- page_types question_table openapi status_docs roles_docs

.PHONY: test
test: ## Everything that must pass, in a real browser and on both databases and engines
	@rm -f target/test-times
	@scripts/timed 'tools for the tests' scripts/setup test
	@scripts/timed 'make check, client and scripts' $(MAKE) --no-print-directory -j2 check test-client
	@scripts/timed 'the Stripe server' target/python/bin/python -m unittest discover -q -s tests/stripe
	@$(ENGINE) scripts/timed 'Rust' scripts/in-memory scripts/rust-tests $$MATRICULA_FEATURES
	@scripts/timed 'browser' scripts/in-memory npx playwright test -c tests/e2e/playwright.config.ts
	@scripts/timed 'QuickJS' scripts/smoke-quickjs
	@scripts/timed

.PHONY: test-client
test-client:
	npx vitest run

.PHONY: faults
faults: ## What fails under the program, and what held, as a table
	@scripts/setup test
	@$(ENGINE) node scripts/faults.mjs $$MATRICULA_FEATURES

.PHONY: fuzz
fuzz: ## Call the whole API with inputs that are made up, on both databases
	@scripts/setup fuzz
	@$(ENGINE) cargo build --locked $$MATRICULA_FEATURES
	node scripts/fuzz.mjs

.PHONY: audit
audit: ## Look for known vulnerabilities in what the product is built from
	@scripts/setup run
	@scripts/audit

.PHONY: dist
dist: ## Build what is shipped, into target/dist/package, with its symbols apart and what it is made of
	@scripts/setup run
	@$(ENGINE) cargo build --profile dist --locked $$MATRICULA_FEATURES
	@mkdir -p target/dist/package
	cd target/dist/package && objcopy --only-keep-debug --compress-debug-sections ../matricula matricula.debug
	cd target/dist/package && objcopy --strip-all --add-gnu-debuglink=matricula.debug ../matricula matricula
	@scripts/sbom target/dist/package

.PHONY: bench
bench: ## Measure against the baselines; NODE= chooses another Node for them
	@scripts/setup bench
	@$(ENGINE) cargo build --profile dist --locked $$MATRICULA_FEATURES --bins --examples
	NODE=$${NODE:-$$(scripts/setup baseline)} node bench/run.mjs
	node bench/listings.mjs
	node bench/desk.mjs
	node bench/attacks.mjs

.PHONY: generate
generate: ## Write the generated files anew
	@scripts/setup run
	node scripts/texts.mjs
	node scripts/generate-reference.mjs
	@$(ENGINE) cargo run --locked --quiet $$MATRICULA_FEATURES -- openapi > docs/openapi.json.new
	@mv docs/openapi.json.new docs/openapi.json
	node scripts/generate-client.mjs
	npx prettier --log-level warn --write client/api
	@$(ENGINE) UPDATE_DOCS=1 cargo test --locked --quiet --workspace $$MATRICULA_FEATURES --lib --test it -- page_types question_table status_docs roles_docs

.PHONY: format
format: ## Format everything
	cargo fmt
	npx prettier --log-level warn --write .
