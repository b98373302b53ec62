package logs

// JSONField returns the text of the string, number, true or false at a path of a JSON
// value, such as responses[0].status, in the notation of the fields of JSON logs. ok
// is false if text is not JSON or has no such value.
func JSONField(text []byte, path string) (value []byte, ok bool) {
	text = trimSpace(text)
	if !validJSON(text) {
		return nil, false
	}
	found := atPath(text, path)
	if len(found) == 0 || string(found) == "null" {
		return nil, false
	}
	return scalar(found)
}
