package formats

// statusNames are names of the field that holds the status of a response, in
// order of priority.
var statusNames = []string{"status", "status_code", "response_code", "http_status", "response_status", "sc_status", "http_status_code", "http_code", "edge_response_status"}

// status returns the first of statusNames that a file has, as it is written there, or "".
func (k known) status() string {
	for _, name := range statusNames {
		if own, ok := k.find(name); ok {
			return own
		}
	}
	return k.part(statusNames)
}
