import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.search.trace import MAX_FRAMES, read_trace

PYTHON = """Traceback (most recent call last):
  File "/srv/app/views/upload.py", line 42, in post
    check(file)
  File "C:\\app\\checks.py", line 7, in check
    raise ValueError("too large")
ValueError: too large"""
NODE = """TypeError: Cannot read properties of undefined (reading 'id')
    at UserStore.find (/srv/app/src/store.ts:12:5)
    at async Promise.all (index 0)
    at file:///srv/app/src/main.mjs:3:1"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: closed
\tat org.acme.io.Pool.take(Pool.java:88)
\tat org.acme.Main$1.run(Main.java:9)"""
GO = """panic: runtime error: index out of range [3]

goroutine 1 [running]:
main.pick(...)
\t/home/me/pick/main.go:14 +0x1d
main.main()
\t/home/me/pick/main.go:22 +0x3a"""
RUST = """thread 'main' panicked at src/main.rs:4:5:
called `Option::unwrap()` on a `None` value"""
DOTNET = """Unhandled exception. System.ArgumentException: bad
   at Acme.Shop.Cart.Add(Item item) in /src/Shop/Cart.cs:line 31
   at Acme.Program.Main(String[] args) in /src/Program.cs:line 5"""
RUBY = """app/models/cart.rb:17:in `total': undefined method (NoMethodError)
\tfrom app/main.rb:3:in '<main>'"""
PHP = "PHP Fatal error:  Uncaught TypeError: bad in /srv/www/cart.php on line 20"
GCC = "src/net/socket.c:120:14: error: too few arguments to function 'bind'"

TRACES = {
    "python": (PYTHON, "ValueError: too large", [("C:/app/checks.py", 7, "check"),
               ("/srv/app/views/upload.py", 42, "post")]),
    "node": (NODE, "TypeError: Cannot read properties of undefined (reading 'id')",
             [("/srv/app/src/store.ts", 12, "find"), ("/srv/app/src/main.mjs", 3, None)]),
    "java": (JAVA, 'Exception in thread "main" java.lang.IllegalStateException: closed',
             [("Pool.java", 88, "take"), ("Main.java", 9, "run")]),
    "go": (GO, "panic: runtime error: index out of range [3]",
           [("/home/me/pick/main.go", 14, None), ("/home/me/pick/main.go", 22, None)]),
    "rust": (RUST, "thread 'main' panicked at src/main.rs:4:5:", [("src/main.rs", 4, None)]),
    "dotnet": (DOTNET, "Unhandled exception. System.ArgumentException: bad",
               [("/src/Shop/Cart.cs", 31, "Add"), ("/src/Program.cs", 5, "Main")]),
    "ruby": (RUBY, None, [("app/models/cart.rb", 17, "total"), ("app/main.rb", 3, None)]),
    "php": (PHP, PHP, [("/srv/www/cart.php", 20, None)]),
    "gcc": (GCC, GCC, [("src/net/socket.c", 120, None)]),
}  # fmt: skip


@pytest.mark.parametrize("language", TRACES)
def test_trace_finds_frames_innermost_first(language):
    text, title, frames = TRACES[language]
    trace = read_trace(text)
    assert [(f.path, f.line, f.name) for f in trace.frames] == frames
    assert title is None or trace.title == title


def test_trace_of_a_message_alone_has_no_frames():
    trace = read_trace("ConnectionError: the server at 10.0.0.1:8080 refused")
    assert trace.frames == ()
    assert trace.title.startswith("ConnectionError")


def test_trace_is_bounded():
    assert (
        len(read_trace("\n".join(f"at f (/a{i}.js:{i}:1)" for i in range(1000))).frames)
        == MAX_FRAMES
    )


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("at (/.:)x1\\\n\"'`<$,File line inrb"), max_size=400))
def test_trace_takes_any_text(text):
    for frame in read_trace(text).frames:
        assert frame.line >= 0
