"""Experiments: settings in TOML, pure runs, sweeps with any executor, and an append-only store."""

from isoalign._core.executor import Executor, InProcess
from isoalign.experiments._bundled import SWEEPS, load_sweep
from isoalign.experiments._config import DataConfig, GridConfig, SweepConfig, parse_config, read_config
from isoalign.experiments._cost import CellCost, estimate_costs, measure_rate
from isoalign.experiments._executors import Dask, LocalProcesses
from isoalign.experiments._plan import Plan, Task, expand_cells, make_plan
from isoalign.experiments._provenance import stamp
from isoalign.experiments._records import Cell, Record
from isoalign.experiments._run import Failure, run_task
from isoalign.experiments._store import Store, load_records
from isoalign.experiments._sweep import SweepResult, sweep
from isoalign.experiments._values import bli_values, condition_values
from isoalign.experiments._work import Work, apply_work, evaluate_work, induce_work, normalize_work, search_work

__all__ = [
    "SWEEPS",
    "Cell",
    "CellCost",
    "Dask",
    "DataConfig",
    "Executor",
    "Failure",
    "GridConfig",
    "InProcess",
    "LocalProcesses",
    "Plan",
    "Record",
    "Store",
    "SweepConfig",
    "SweepResult",
    "Task",
    "Work",
    "apply_work",
    "bli_values",
    "condition_values",
    "estimate_costs",
    "evaluate_work",
    "expand_cells",
    "induce_work",
    "load_records",
    "load_sweep",
    "make_plan",
    "measure_rate",
    "normalize_work",
    "parse_config",
    "read_config",
    "run_task",
    "search_work",
    "stamp",
    "sweep",
]
