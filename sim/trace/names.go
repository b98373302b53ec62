package trace

// interner numbers names in the order they are first met.
type interner struct {
	ids   map[string]int32
	names []string
}

// id returns the number of a name; a known one costs no allocation. A missing
// name is NoKey.
func (in *interner) id(name []byte) int32 {
	if id, ok := in.ids[string(name)]; ok {
		return id
	}
	s := string(name)
	if s == "" {
		s = NoKey
		if id, ok := in.ids[s]; ok {
			in.ids[""] = id
			return id
		}
		in.ids[""] = int32(len(in.names))
	}
	id := int32(len(in.names))
	in.ids[s] = id
	in.names = append(in.names, s)
	return id
}

// byFirstUse renumbers a column by first use and returns its names in that
// order, so that the numbers follow time and not the order of the files.
func (in *interner) byFirstUse(column []int32) []string {
	renumbered := make([]int32, len(in.names))
	names := make([]string, 0, len(in.names))
	for i, id := range column {
		if renumbered[id] == 0 {
			names = append(names, in.names[id])
			renumbered[id] = int32(len(names)) // 0 is "not met", so one more than the number
		}
		column[i] = renumbered[id] - 1
	}
	return names
}
