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
