package logs

import "github.com/limitgauge/limitgauge/logs/text"

// Places says where logs are on a machine that is not the one whose scenario file names
// them. A nil *Places leaves names as they are.
type Places struct {
	Globs map[string][]string // the names of files by the name in the scenario file, which may be a glob
	Paths map[string]string   // the path of each copy by the name of the file
}

// expand returns the names of files.
func (c *Places) expand(names []string) (files []string, err error) {
	if c == nil {
		return Expand(names)
	}
	for _, name := range names {
		found, known := c.Globs[name]
		if !known {
			return nil, &text.Error{Reason: text.BadOptions, File: name, Message: "no copy of it came with the job"}
		}
		files = append(files, found...)
	}
	return files, nil
}

// path returns the path under which a file is opened.
func (c *Places) path(name string) string {
	if c == nil || c.Paths[name] == "" {
		return name
	}
	return c.Paths[name]
}
