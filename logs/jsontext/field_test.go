package jsontext

import "testing"

func TestJSONField(t *testing.T) {
	const text = ` {"responses":[{"status":"OVER","left":-1.5}],"ok":true,"none":null,"empty":""} `
	for path, want := range map[string]string{
		"responses[0].status": "OVER", "responses[0].left": "-1.5", "ok": "true", "empty": "",
		"none": "absent", "responses": "absent", "responses[1].status": "absent", "status": "absent",
	} {
		got, ok := Field([]byte(text), path)
		if ok == (want == "absent") || ok && string(got) != want {
			t.Errorf("%s: %q, %v, want %s", path, got, ok, want)
		}
	}
	if _, ok := Field([]byte(`{"ok":true}x`), "ok"); ok {
		t.Error("a text that is not JSON has a field")
	}
}

// A path goes through members whose keys are prefixes of it, and ends at none with a dot.
func TestPathsWithDots(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":{"":7}}`, "a.", ""}, {`{"a":7,"a.":8}`, "a.", "8"}, {`{"a":{"b":7},"a.b":8}`, "a.b", "8"}, {`{"a.b":{"x":8},"a":{"b":7}}`, "a.b", "7"},
		{`{"a":[7,8]}`, "a[1]", "8"}, {`{"a":[7,8]}`, "a.1", "8"}, {`{"ab":7}`, "a", ""}, {`{"a":7}`, "ab", ""},
	} {
		if got := string(At([]byte(c[0]), c[1])); got != c[2] {
			t.Errorf("%s at %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
