"""What a run's events are made into."""

from __future__ import annotations

from scrubjay.cli.output import Output
from scrubjay.cli.progress import SLOW_S, Course, Drawn, Lines, watching
from scrubjay.events import (
    CrawlAdvanced,
    CrawlFinished,
    CrawlStarted,
    FileFinished,
    FileStarted,
    Warned,
    WorkAdvanced,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def half_way(clock: Clock) -> Course:
    course = Course(clock)
    course.tell(CrawlStarted("/r"))
    course.tell(CrawlFinished("/r", 900, 100, 400, 0))
    for i in range(100):
        course.tell(FileStarted(f"{i}.py"))
    clock.now = 10.0
    for i in range(50):
        course.tell(FileFinished(f"{i}.py", 2, "bad" if i == 0 else None))
    return course


def test_course_counts_the_crawl():
    course = Course(Clock())
    course.tell(CrawlStarted("/r"))
    course.tell(CrawlAdvanced("/r", 1500))
    assert course.sentence() == "looking for changes in /r: 1,500 entries"


def test_course_says_how_far_the_work_is():
    course = half_way(Clock())
    course.tell(WorkAdvanced(50, 402, 90, 10))
    assert course.sentence() == (
        "50 of 402 files, 5 files/s, 1 min 10 s left, 90 texts embedded, 10 reused, 1 failed"
    )


def test_course_takes_its_total_from_the_crawl_until_it_is_known():
    assert half_way(Clock()).sentence().startswith("50 of 400 files")


def test_slow_files_are_named_first():
    clock = Clock()
    course = Course(clock)
    course.tell(FileStarted("slow.py"))
    clock.now = SLOW_S + 1
    for name in ("a.py", "b.py", "c.py"):
        course.tell(FileStarted(name))
    assert course.in_flight() == ["slow.py", "c.py", "b.py"]


def test_lines_go_to_stderr(capsys):
    lines = Lines(Output())
    lines.tell(CrawlFinished("/r", 900, 100, 400, 0))
    lines.tell(Warned("the model is slow"))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "/r: 900 entries, 400 files to do\nwarning: the model is slow\n"


def test_quiet_run_shows_nothing(capsys):
    with watching(Output(), quiet=True) as display:
        display.tell(CrawlFinished("/r", 900, 100, 400, 0))
        display.stopping()
    assert capsys.readouterr() == ("", "")


def test_drawing_shows_bar_names_and_the_wish_to_stop():
    from rich.console import Console

    console = Console(width=100, force_terminal=False)
    display = Drawn(console)
    with console.capture() as capture:
        display.tell(CrawlFinished("/r", 900, 100, 400, 0))
        display.tell(FileStarted("[red]odd.py"))
        display.tell(FileFinished("done.py", 1))
        display.stopping()
        console.print(display.draw())
    text = capture.get()
    assert "1 of 400 files" in text
    assert "[red]odd.py" in text
    assert "Ctrl-C again stops at once" in text
