# Everything that a developer or a first-time user needs. `make help` lists it.

PYTHON ?= python3
VENV := .venv
# The lock files name all that is needed; Python compiles what is imported, when it first is.
PIP_INSTALL = pip install --quiet --disable-pip-version-check --no-deps --no-compile
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DOCS_VENV := .venv-docs
DOCS_READY := $(DOCS_VENV)/.ready
DEMO := demo
DATA ?= ../shared/data
TRUTH = $(DATA)/reference/ecoli_truth/cogclassifier

.DEFAULT_GOAL := help
.PHONY: help setup docs docs-serve man release-check demo demo-online test test-quick test-container golden check format fuzz bench accuracy confidence knowledge families lock clean

help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## Create .venv with everything, from the lock file

$(READY): requirements.lock pyproject.toml hatch_build.py $(wildcard genint/native/*.[ch])
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "genint needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(BIN)/python -c 'import sys, hatch_build; sys.exit(not hatch_build.compiler())' \
		|| $(BIN)/$(PIP_INSTALL) --require-hashes -r requirements-compiler.lock
	$(BIN)/$(PIP_INSTALL) --no-build-isolation --editable .
	@touch $(READY)

demo: $(READY) ## Interpret the two example genomes into demo/
	@$(BIN)/genint interpret examples/lambda.fasta examples/phiX174.gbk --format html --format md \
		--force -o $(DEMO)
	@echo "To use the command in this terminal: source $(BIN)/activate"

demo-online: $(READY) ## Interpret them in online mode with made-up services, into demo/online/
	@$(BIN)/python -m tests.online_services.demo $(DEMO)/online examples/lambda.fasta examples/phiX174.gbk

test: $(READY) $(DOCS_READY) ## Run all tests (installs the servers and the browser that they need)
	tests/install_servers.sh
	$(BIN)/python -m pytest -n auto --dist worksteal

# Tests start hundreds of Python processes, which should not compile the sources each anew.
unexport PYTHONDONTWRITEBYTECODE

QUICK = $(addprefix tests/,architecture model formats genes rna interpret knowledge sources auth \
	golden report test_settings.py)
test-quick: $(READY) ## Run the tests for every commit: two minutes, no servers, no browser
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not fuzz" $(QUICK)

golden: $(READY) ## Renew golden files and the schema after a change of reports that is meant
	$(BIN)/python -m tests.golden

check: $(READY) ## Lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## Format the code and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(READY) ## Long random runs against the readers
	$(BIN)/python -m pytest -m fuzz

bench: $(READY) ## Print figures: genes, speed, similarity, reports, service (needs the folder of real data)
	$(BIN)/python -m benchmarks.genes --bacteria
	$(BIN)/python -m benchmarks.speed.speed
	$(BIN)/python -m benchmarks.search.similarity
	$(BIN)/python -m benchmarks.search.strains
	$(BIN)/python -m benchmarks.search.local_mode
	$(BIN)/python -m benchmarks.online
	$(BIN)/python -m benchmarks.speed.reports
	$(BIN)/python -m benchmarks.speed.many_genomes --genomes 60
	$(BIN)/python -m benchmarks.service

accuracy: $(READY) ## Judge names on genomes hidden from the families, beside peers (needs real data)
	$(BIN)/python -m benchmarks.accuracy

confidence: $(READY) ## Fit and measure the models of names and of genes (needs real data; three hours at first)
	$(BIN)/python -m training.confidence --data $(DATA)
	$(BIN)/python -m training.genes --data $(DATA) --families build/confidence/families
	$(BIN)/python -m training.selftest_genome

families: $(READY) ## Rebuild vocabulary and families (needs the folder of real data, and MMseqs2)
	$(BIN)/python -m training.vocabulary
	$(BIN)/python -m training.families --data $(DATA) --work build/families
	$(BIN)/python -m training.vocabulary.name_coverage --data $(DATA)
	$(BIN)/python -m training.gene_order --data $(DATA)
	$(BIN)/python -m training.lengths --data $(DATA)
	$(BIN)/python -m training.dark_ranking --data $(DATA)
	$(BIN)/python -m training.kinds --data $(DATA)
	$(BIN)/python -m training.selftest_genome

knowledge: $(READY) ## Rebuild all that ships in genint/knowledge/data (needs the folder of real data)
	$(BIN)/python -m training.pfam.pack --work build \
		--occurrence $(DATA)/reference/pfam/pfam_occurrence_gtdb.tsv \
		--proteins $(DATA)/train/phage_proteins.faa.gz $(TRUTH)_ecoli.faa.gz \
			$(TRUTH)_synechocystis.faa.gz $(DATA)/reference/sprot/Bacteria_AMR.gz \
		--genomes $$(ls $(DATA)/genomes/*.gb $(DATA)/genomes/*.gbk | grep -v -e odd_ -e syn3A)
	$(BIN)/python -m training.pfam.cog \
		--train $(TRUTH)_ecoli.faa.gz $(TRUTH)_ecoli.cog.tsv.gz \
		--train $(TRUTH)_synechocystis.faa.gz $(TRUTH)_synechocystis.cog.tsv.gz \
		--judge $(TRUTH)_mycoplasma.faa $(TRUTH)_mycoplasma.cog.tsv
	$(MAKE) families

COMPILE = $(VENV)-lock/bin/pip-compile --quiet --generate-hashes --strip-extras --no-header \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --allow-unsafe
lock: ## Renew the lock files from pyproject.toml (with the oldest Python: it needs most)
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet pip-tools
	$(COMPILE) --upgrade --extra test --output-file requirements.lock pyproject.toml
	$(COMPILE) --constraint requirements.lock --extra dask --extra s3 --output-file \
		deploy/requirements.lock pyproject.toml
	$(COMPILE) --constraint requirements.lock --only-build-deps --build-deps-for wheel \
		--output-file deploy/build.lock pyproject.toml
	sed -n 's/^COMPILER_PACKAGE = "\(.*\)"$$/\1/p' hatch_build.py > $(VENV)-lock/compiler.in
	$(COMPILE) --upgrade --output-file requirements-compiler.lock $(VENV)-lock/compiler.in
	$(COMPILE) --upgrade --output-file requirements-docs.lock requirements-docs.in
	$(COMPILE) --upgrade --output-file requirements-release.lock requirements-release.in
	rm -rf $(VENV)-lock

docs: $(READY) $(DOCS_READY) ## Build the site of the documentation into build/site
	@$(BIN)/python -m documentation build/pages
	@NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --quiet --strict
	@echo "the site is in build/site: open index.html, or \`make docs-serve\` for its search"

release-check: $(READY) ## Build a release and try it in empty environments of each Python
	$(BIN)/python release_check.py

man: $(READY) ## Renew the manual page man/genint.1 after a change of commands
	$(BIN)/python -m documentation.manual

docs-serve: docs ## Build the site and serve it at http://127.0.0.1:8001
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site 8001

$(DOCS_READY): requirements-docs.lock
	$(PYTHON) -m venv $(DOCS_VENV)
	$(DOCS_VENV)/bin/$(PIP_INSTALL) --require-hashes -r $<
	@touch $@

test-container: $(READY) ## Build the image and run a job in it (needs root, buildah, mmdebstrap, the network)
	$(BIN)/python -m pytest -m container -n 0 tests/deploy/test_container.py

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) $(DOCS_VENV) $(DEMO) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
