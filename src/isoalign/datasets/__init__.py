"""Real data: a sample of English and Japanese inside the package."""

from isoalign.datasets._sample import Credit, Sample, load_sample, sample_credits

__all__ = ["Credit", "Sample", "load_sample", "sample_credits"]
