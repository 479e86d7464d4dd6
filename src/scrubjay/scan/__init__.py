"""What is on disk, and does it concern us? Never writes, never decodes."""
