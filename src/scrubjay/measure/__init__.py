"""How good are the answers? Questions from a repository's history, their scores, what to change."""
