"""Tests that drive the site in a browser."""
