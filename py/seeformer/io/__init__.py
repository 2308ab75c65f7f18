"""Files: safetensors, config.json, and both together as a checkpoint."""
