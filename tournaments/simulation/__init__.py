"""Events played in a moment, through the same services as any other: for tests, the demo and benchmarks."""
