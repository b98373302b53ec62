package catalog

import (
	"strconv"
	"strings"
)

// Join lists names for a message. A name with a comma stands in quotes, because
// commas separate the names.
func Join(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = Quoted(name)
	}
	return strings.Join(quoted, ", ")
}

// Quoted returns a name as Join writes it.
func Quoted(name string) string {
	if strings.ContainsRune(name, ',') {
		return strconv.Quote(name)
	}
	return name
}
