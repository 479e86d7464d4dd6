"""What role does a file play in its tree, told by its path alone?"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache


class PathClass(Enum):
    """A file's role; the value is what `--explain` shows."""

    SOURCE = "source"
    TESTS = "tests"
    EXAMPLES = "examples"
    DOCS = "documentation"
    NOTES = "change log or legal text"
    VENDORED = "vendored"
    GENERATED = "generated"
    LOCALE = "translations"
    CONFIG = "configuration or data"


_FOLDERS = {
    PathClass.VENDORED: """vendor vendored _vendor _vendored third_party third-party thirdparty
        node_modules bower_components site-packages externals extern deps""",
    PathClass.LOCALE: "locale locales _locales lc_messages i18n translations lang",
    PathClass.TESTS: """test tests testing __tests__ spec specs e2e testdata test_data test-data
        fixtures __fixtures__ mocks __mocks__ __snapshots__ cypress""",
    PathClass.EXAMPLES: """example examples sample samples demo demos tutorial tutorials docs_src
        bench benches benchmark benchmarks playground""",
    PathClass.DOCS: "doc docs documentation website man",
}
_BY_FOLDER = {name: role for role, names in _FOLDERS.items() for name in names.split()}

_LOCALE_FILE = re.compile(r"\.(po|pot|xlf|xliff|arb|resx|lproj|ftl|strings)$")
_DATA_FILE = re.compile(r"\.(json|ya?ml|properties|toml|txt|ini|xml|csv|md|rst|html?)$")
_TEST_FILE = re.compile(
    r"^(test_.*|.*_test|.*_tests|.*_spec|.*\.(test|spec|e2e)|conftest|tests?)\.[a-z0-9]+$"
)
_CAMEL_TEST_FILE = re.compile(
    r"[a-z0-9](Test|Tests|TestCase|Spec|IT)\.(java|kt|cs|scala|groovy|swift|php)$"
)
_NOTES_FILE = re.compile(
    r"^(change(s|log)?|history|news|releases?|release[-_]notes|whatsnew|licen[cs]e|copying|notice|authors"
    r"|contributors|maintainers|code_of_conduct|todo)([-_.].*)?$"
)
_NOTES_FOLDERS = frozenset(
    {"changelog", "changelogs", "changes", "licenses", "newsfragments", "releases", "whatsnew"}
)
_GENERATED_FILE = re.compile(
    r"(\.(min|bundle|generated|gen|designer|g)\.[a-z]+|\.pb\.[a-z.]+|_pb2(_grpc)?\.pyi?|\.d\.[cm]?ts|_generated\.[a-z]+"
    r"|[._-]lock(\.[a-z]+)?|\.snap|\.map)$"
)
_CONFIG_FILE = re.compile(
    r"^\.|\.(json|jsonc|json5|ya?ml|toml|ini|cfg|conf|csv|tsv|xml|properties|plist|env)$"
)
_PROSE_FILE = re.compile(r"\.(md|mdx|markdown|rst|adoc|asciidoc|org|tex|texi|txt|pod|html?|ipynb)$")


@lru_cache(maxsize=65_536)
def path_class(path: str) -> PathClass:
    """Classify a root-relative path.

    >>> path_class("django/conf/locale/de/LC_MESSAGES/django.po").name
    'LOCALE'
    """
    folders, name = path.lower().split("/")[:-1], path.rpartition("/")[2]
    roles = {_BY_FOLDER[folder] for folder in folders if folder in _BY_FOLDER}
    lower = name.lower()
    if PathClass.VENDORED in roles:
        return PathClass.VENDORED
    if _GENERATED_FILE.search(lower):
        return PathClass.GENERATED
    if _LOCALE_FILE.search(lower) or (PathClass.LOCALE in roles and _DATA_FILE.search(lower)):
        return PathClass.LOCALE
    is_prose = bool(_PROSE_FILE.search(lower)) or "." not in lower
    if _NOTES_FILE.match(lower) and is_prose:
        return PathClass.NOTES
    if is_prose and not _NOTES_FOLDERS.isdisjoint(folders):
        return PathClass.NOTES
    if PathClass.TESTS in roles or _TEST_FILE.match(lower) or _CAMEL_TEST_FILE.search(name):
        return PathClass.TESTS
    if PathClass.EXAMPLES in roles:
        return PathClass.EXAMPLES
    if PathClass.DOCS in roles or _PROSE_FILE.search(lower):
        return PathClass.DOCS
    return PathClass.CONFIG if _CONFIG_FILE.search(lower) else PathClass.SOURCE


_WANTED_BY = {
    PathClass.TESTS: """test tests tested testing unittest pytest testcase spec specs fixture
        fixtures mock mocks""",
    PathClass.EXAMPLES: "example examples sample samples demo demos tutorial benchmark benchmarks",
    PathClass.DOCS: "doc docs documentation documented readme guide manual tutorial howto",
    PathClass.NOTES: """changelog changes release releases released history licence license
        copyright authors""",
    PathClass.VENDORED: "vendor vendored bundled",
    PathClass.GENERATED: "generated protobuf minified",
    PathClass.LOCALE: "locale locales translation translations translated i18n l10n",
    PathClass.CONFIG: """config configs configuration configure configured settings setting setup
        build builds ci workflow workflows pipeline package packages packaging dependency
        dependencies manifest json yaml yml toml ini xml csv deploy deployment
        environment data dataset lint linter""",
}
_WORD_WANTS: dict[str, set[PathClass]] = {}
for _role, _names in _WANTED_BY.items():
    for _name in _names.split():
        _WORD_WANTS.setdefault(_name, set()).add(_role)


def wanted_classes(words: tuple[str, ...]) -> frozenset[PathClass]:
    """Tell which roles a question asks for by name."""
    return frozenset(role for word in words for role in _WORD_WANTS.get(word, ()))
