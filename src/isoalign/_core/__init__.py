"""What every room builds on: types, checks, threads, compiled kernels, the estimator contract."""
