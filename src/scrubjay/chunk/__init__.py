"""Cut documents into searchable slices: by syntax where there is a grammar, else by headings."""

from scrubjay.chunk.document import CHUNKER_VERSION, chunk_document
from scrubjay.chunk.syntax import use_grammar_cache

__all__ = ["CHUNKER_VERSION", "chunk_document", "use_grammar_cache"]
