"""Ways to fit a map between two embedding models, one per file: paired rows and settings in, a map out."""
