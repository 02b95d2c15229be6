"""The interactive HTML report: its data, template, scripts and styles."""
