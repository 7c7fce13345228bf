"""What the log says on standard error."""

import logging
import subprocess
import sys

import pytest

from isoalign.cli._terminal import TerminalFormatter

RECORD = logging.LogRecord("isoalign.datasets._download", logging.WARNING, "", 1, "Trying again in %d s.", (2,), None)


def test_a_line_of_the_log_reads_like_any_other_warning():
    assert TerminalFormatter().format(RECORD) == "warning: Trying again in 2 s."
    named = TerminalFormatter(with_names=True).format(RECORD)
    assert named == "WARNING:isoalign.datasets._download:Trying again in 2 s."


@pytest.mark.slow  # importing distributed takes seconds
def test_a_cluster_of_dask_is_quiet():
    code = (
        "import logging; from isoalign.cli._command import _start_logging; _start_logging(0); import distributed; "
        "print(logging.getLogger('distributed.scheduler').isEnabledFor(logging.INFO))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout == "False\n"
