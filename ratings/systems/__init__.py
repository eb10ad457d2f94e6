"""Rating policies as pure functions: no Django, no clock, no chance."""
