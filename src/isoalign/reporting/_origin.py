"""Where records come from, in one line."""

from collections.abc import Sequence

from isoalign.experiments import Record

__all__ = ["describe_origin"]


def describe_origin(records: Sequence[Record]) -> str:
    """Summarise version, machine and dates of the records in one line, since a printed page hides the details."""

    def list_all(key: str) -> str:
        return (
            ", ".join(dict.fromkeys(str(r.provenance[key])[:40] for r in records if key in r.provenance)) or "unknown"
        )

    days = sorted(str(record.provenance["date"])[:10] for record in records if "date" in record.provenance)
    when = "an unknown day" if not days else days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    return (
        f"{len(records)} records of isoalign {list_all('isoalign')}, computed on {when} with "
        f"{list_all('threads')} threads (Python {list_all('python')}, processor {list_all('processor')})."
    )
