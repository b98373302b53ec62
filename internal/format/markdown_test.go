package format

import "testing"

// TestMarkdown holds Markdown against texts that would be markup. Each line of a
// list was also rendered as GitHub renders it, where it shows the text itself.
func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ text, inline, line string }{
		{"steady 3x: over_limit_pct <= 10 & 5 < 6 > 4, scenarios[0].expect, batch-debt (a) ±1 ~", "steady 3x: over_limit_pct <= 10 & 5 < 6 > 4, scenarios[0].expect, batch-debt (a) ±1 \\~", ""},
		{"-", "-", `\-`},
		{"-3.2 %", "-3.2 %", "-3.2 %"},
		{"5", "5", "5"},
		{"[click](https://evil.example)", `[click\](https:\//evil.example)`, `\[click\](https:\//evil.example)`},
		{"![x](//evil.example/x.png)", `![x\](//evil.example/x.png)`, ""},
		{"a [b][c] and [c]: https://evil.example", `a [b\][c] and [c\]: https:\//evil.example`, ""},
		{`a\[b\](c)`, `a\\[b\\\](c)`, ""},
		{"see http://evil.example, WWW.evil.example and a@evil.example", `see http:\//evil.example, WWW\.evil.example and a@<!-- -->evil.example`, ""},
		{"<https://evil.example> <a@b.example>", `&lt;https:\//evil.example> &lt;a@<!-- -->b.example>`, ""},
		{"@octocat fixes #123 and o/r#4, not # 5 or a @ b", "@<!-- -->octocat fixes #<!-- -->123 and o/r#<!-- -->4, not # 5 or a @ b", ""},
		{"<script>alert(1)</script><img src=x onerror=alert(1)><!-- ", "&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)>&lt;!--", ""},
		{"&lt;b&gt; &#60; &copy; a && b", "&amp;lt;b&amp;gt; &amp;#<!-- -->60; &amp;copy; a && b", ""},
		{"a | b\n| --- |\r\n\n# c", `a \| b \| --- \|   # c`, ""},
		{"a\u2028b\x00c\x1b[31m", "a b c [31m", ""},
		{"*bold* _under_ snake_case __init__ ~~gone~~ `code` $x$", "\\*bold\\* \\_under\\_ snake_case \\_\\_init\\_\\_ \\~\\~gone\\~\\~ \\`code\\` \\$x\\$", ""},
		{"```sh", "\\`\\`\\`sh", ""},
		{"# heading", "# heading", `\# heading`},
		{"## heading", "## heading", `\## heading`},
		{"    code", "code", "code"},
		{"> quote", "> quote", `\> quote`},
		{"+ item", "+ item", `\+ item`},
		{"1. item", "1. item", `1\. item`},
		{"10) item", "10) item", `10\) item`},
		{"1.5 of them", "1.5 of them", "1.5 of them"},
		{"---", "---", `\---`},
		{"[x] done", "[x] done", `\[x] done`},
		{`C:\dir\file \ end\`, `C:\dir\file \ end\\`, ""},
	} {
		if c.line == "" {
			c.line = c.inline
		}
		if got := Markdown(c.text); got != c.inline {
			t.Errorf("%q in a line is\n%s, want\n%s", c.text, got, c.inline)
		}
		if got := MarkdownLine(c.text); got != c.line {
			t.Errorf("%q as a line is\n%s, want\n%s", c.text, got, c.line)
		}
	}
}
