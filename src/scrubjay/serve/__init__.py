"""Wire formats: HTTP and MCP."""
