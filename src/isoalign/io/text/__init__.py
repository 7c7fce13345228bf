"""Text vectors: compiled parsing and printing of numbers, rows, segments of lines, readers and writers."""
