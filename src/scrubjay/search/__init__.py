"""The read path: plan, retrieve, fuse, expand, pack."""

from scrubjay.search.answering import Searchable, search
from scrubjay.search.pack import make_context, render_context

__all__ = ["Searchable", "make_context", "render_context", "search"]
