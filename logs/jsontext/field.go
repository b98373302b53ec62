package jsontext

// Field returns the text of the string, number, true or false at a path of a JSON
// value, such as responses[0].status, in the notation of the fields of JSON logs. ok
// is false if text is not JSON or has no such value.
func Field(text []byte, path string) (value []byte, ok bool) {
	text = TrimSpace(text)
	if !Valid(text) {
		return nil, false
	}
	found := At(text, path)
	if len(found) == 0 || string(found) == "null" {
		return nil, false
	}
	return Scalar(found)
}
