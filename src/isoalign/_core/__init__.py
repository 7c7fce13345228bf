"""Foundation of all packages: types, checks, threads, compiled kernels, the estimator contract."""
