"""Durable state; knows no model and no path on disk."""
