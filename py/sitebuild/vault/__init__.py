"""The course as a folder that opens in Obsidian: notes with blocks that run, and pictures that are there without."""
