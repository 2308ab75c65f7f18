"""From text to numbers and back: characters, byte pairs (GPT-2's, and their training), WordPiece (BERT's)."""
