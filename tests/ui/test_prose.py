"""A playbook's Markdown on the screen."""

from badhop.ui.prose import prose


def test_paragraphs_lists_and_code_keep_their_shape() -> None:
    text = prose("One\nparagraph with `code`.\n\n- a\n- b\n\n1. first\n2. second\n\n```sh\nls -l\n```\n")
    assert text.plain == "One paragraph with code.\n\n- a\n- b\n1. first\n2. second\n\n    ls -l"


def test_a_link_is_its_words_and_nothing_that_can_be_opened() -> None:
    text = prose("See [this page](https://example.com/x) and [the step](#the-step).")
    assert text.plain == "See this page and the step."
    assert not any("link" in str(span.style) for span in text.spans)


def test_strong_words_are_bold_and_markup_of_the_screen_is_only_text() -> None:
    text = prose("**[red]now[/red]** or [bold] never")
    assert text.plain == "[red]now[/red] or [bold] never"
    assert [str(span.style) for span in text.spans if span.end - span.start == 14] == ["bold"]


def test_hostile_characters_are_escaped_wherever_they_stand() -> None:
    text = prose("a\x1b[31m\n\n- \u202eb\n\n    \x1b]0;x\x07\n\n`\x9b`\n\n<b>\x1b</b>\n\n| h |\n|---|\n| \x1b |\n")
    assert text.plain.replace("\n", "").isprintable()
    assert "\\u202eb" in text.plain
