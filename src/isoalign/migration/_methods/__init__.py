"""Functions that fit a map between two embedding models from paired rows and settings, one per file."""
