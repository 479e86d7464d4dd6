from scrubjay.search.paths import PathClass, path_class, wanted_classes


def test_path_class_follows_names_and_folders():
    for path, expected in {
        "django/middleware/csrf.py": PathClass.SOURCE,
        "src/latest/attestation.py": PathClass.SOURCE,
        "src/contest.py": PathClass.SOURCE,
        "src/Latest.java": PathClass.SOURCE,
        "Makefile": PathClass.SOURCE,
        "tests/test_x.py": PathClass.TESTS,
        "pkg/cart_test.go": PathClass.TESTS,
        "src/cart.spec.ts": PathClass.TESTS,
        "src/CartTest.java": PathClass.TESTS,
        "conftest.py": PathClass.TESTS,
        "examples/hello.py": PathClass.EXAMPLES,
        "docs/intro.md": PathClass.DOCS,
        "README.md": PathClass.DOCS,
        "docs/releases/1.0.txt": PathClass.NOTES,
        "CHANGELOG": PathClass.NOTES,
        "LICENSE": PathClass.NOTES,
        "src/history.py": PathClass.SOURCE,
        "vendor/lib/x.go": PathClass.VENDORED,
        "app.min.js": PathClass.GENERATED,
        "api/x_pb2.py": PathClass.GENERATED,
        "conf/locale/de/LC_MESSAGES/django.po": PathClass.LOCALE,
        "src/locales/de.json": PathClass.LOCALE,
        "src/locales/de.ts": PathClass.SOURCE,
        "tsconfig.json": PathClass.CONFIG,
        ".github/workflows/ci.yml": PathClass.CONFIG,
        "app/.eslintrc": PathClass.CONFIG,
        "tests/data.json": PathClass.TESTS,
    }.items():
        assert path_class(path) is expected, path


def test_wanted_classes_know_plain_words():
    assert wanted_classes(("translations", "of", "tests")) == {PathClass.LOCALE, PathClass.TESTS}
