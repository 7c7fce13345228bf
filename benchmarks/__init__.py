"""Measure what the documentation claims: ``python -m benchmarks.<name>``."""
