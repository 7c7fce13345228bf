"""``python -m isoalign``."""

from isoalign.cli import main

main()
