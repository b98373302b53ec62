package formats

// statusNames are names of the field that holds the status of a response, in
// order of priority.
var statusNames = []string{"status", "status_code", "response_code", "http_status"}

// statusField returns the first of statusNames that a file has, as it is written
// there, or "".
func statusField(find func(name string) (own string, ok bool)) string {
	for _, name := range statusNames {
		if own, ok := find(name); ok {
			return own
		}
	}
	return ""
}
