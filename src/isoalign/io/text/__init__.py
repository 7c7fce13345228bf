"""Text vectors: numbers parsed and printed in compiled code, rows, segments of lines, readers and writers."""
