"""One file a lab: ``run(*, ...) -> dict`` of arrays, numbers, strings and string lists, all from what a trace saw."""
