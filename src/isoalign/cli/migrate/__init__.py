"""``isoalign migrate``: change the embedding model without embedding everything again."""

from isoalign.cli._help import make_group, register
from isoalign.cli.migrate.apply import apply
from isoalign.cli.migrate.evaluate import evaluate
from isoalign.cli.migrate.fit import fit
from isoalign.cli.migrate.plan import plan
from isoalign.cli.migrate.report import report

__all__ = ["migrate"]

migrate = make_group(
    "migrate",
    "Change the embedding model without embedding everything again.",
    "isoalign migrate plan old.npy new.npy",
    "isoalign migrate fit old.npy new.npy -o adapter",
)

register(migrate, (plan, fit, evaluate, apply, report))
