# make demo: set everything up and watch the robot help.   make test: set everything up and run the tests.
.PHONY: demo test setup clean
HEED = .venv/bin/heed

demo: setup
	$(HEED) demo --output demo_output

test: setup
	.venv/bin/python -m pytest -n 2 --dist loadfile

setup:
	@bash scripts/setup.sh

clean:
	rm -rf .venv .setup build install log
