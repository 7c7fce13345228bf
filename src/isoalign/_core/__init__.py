"""What every package builds on: types, checks, threads, compiled kernels, the estimator contract."""
