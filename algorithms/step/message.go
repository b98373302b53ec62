package step

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// member is one member of a message in JSON, and the field of the Go message that
// holds it.
type member struct {
	name, field string
	as          representation
	rows        []member // as list
}

// representation is how a field is written.
type representation uint8

const (
	asNumber representation = iota // a whole number
	asTime                         // a whole number of ns, which may be negative
	orNull                         // a whole number, null for 0
	asKey                          // the name of a key
	asShare                        // a share, in units of 2^-32 in Go
	asList                         // a list of objects
)

// most is the largest number in a message, except for times. Sums of many stay
// within 64 bits.
const most = 1 << 40

// keyNames numbers the keys of a session in the order of their first appearance.
type keyNames struct {
	ids   map[string]int32
	names []string
}

// number returns the number of a key, which it adds if it is new.
func (k *keyNames) number(name string) (int32, error) {
	id, known := k.ids[name]
	switch {
	case known:
		return id, nil
	case len(k.names) == maxKeys:
		return 0, fmt.Errorf("key %q is one too many: at most %d keys in a session", name, maxKeys)
	}
	if k.ids == nil {
		k.ids = map[string]int32{}
	}
	id = int32(len(k.names))
	k.ids[name] = id
	k.names = append(k.names, name)
	return id, nil
}

// write writes a Go message as a JSON object.
func (k *keyNames) write(out *reply, message reflect.Value, members []member) {
	for i := range members {
		m := &members[i]
		f := message.FieldByName(m.field)
		switch m.as {
		case asKey:
			out.set(m.name, k.names[f.Int()])
		case asShare:
			out.setShare(m.name, uint32(f.Uint()))
		case orNull:
			out.setUnless(m.name, f.Int(), 0)
		case asList:
			list := []json.RawMessage{}
			for j := range f.Len() {
				var row reply
				k.write(&row, f.Index(j), m.rows)
				list = append(list, row.line())
			}
			out.set(m.name, list)
		default:
			out.set(m.name, f.Interface())
		}
	}
}

// read fills in a Go message from a JSON object. Members that are absent keep what
// the message has.
func (k *keyNames) read(text json.RawMessage, message reflect.Value, members []member) error {
	fields, _, err := membersOf(text)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.ContainsFunc(members, func(m member) bool { return m.name == name }) && name != "id" {
			return fmt.Errorf("unknown member %q: it has %s", name, namesOf(members))
		}
	}
	for i := range members {
		m := &members[i]
		value, given := fields[m.name]
		if !given {
			if m.as == asKey || m.as == asList {
				return fmt.Errorf("%s is missing", m.name)
			}
			continue
		}
		if err := k.readMember(value, message.FieldByName(m.field), m); err != nil {
			return fmt.Errorf("%s%w", m.name, err)
		}
	}
	return nil
}

// membersOf returns the members of a JSON object, and their names in order. It
// refuses an object that has a member twice.
func membersOf(text json.RawMessage) (fields map[string]json.RawMessage, order []string, err error) {
	d := json.NewDecoder(bytes.NewReader(text)) // of valid JSON: Token cannot fail
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil, nil, fmt.Errorf("want an object, not %s", text)
	}
	fields = map[string]json.RawMessage{}
	for d.More() {
		t, _ := d.Token()
		name := t.(string)
		if _, twice := fields[name]; twice {
			return nil, nil, fmt.Errorf("%s is given twice", name)
		}
		var value json.RawMessage
		d.Decode(&value)
		fields[name] = value
		order = append(order, name)
	}
	return fields, order, nil
}

func namesOf(members []member) string {
	return strings.Join(lists.Map(members, func(m member) string { return m.name }), ", ")
}

// readMember reads one member. Its errors follow the member's name.
func (k *keyNames) readMember(value json.RawMessage, f reflect.Value, m *member) error {
	text := string(value)
	wrong := func(want string) error { return fmt.Errorf(" is %s: want %s", text, want) }
	switch m.as {
	case asKey:
		var name string
		if json.Unmarshal(value, &name) != nil || text == "null" {
			return wrong("a string")
		}
		id, err := k.number(name)
		if err != nil {
			return fmt.Errorf(": %w", err)
		}
		f.SetInt(int64(id))
	case asShare:
		rate, ok := batchreported.ParseRate(text)
		if text == "null" {
			rate, ok = 0, true
		}
		if !ok {
			return wrong("a number from 0 to below 1")
		}
		f.SetUint(uint64(rate))
	case asList:
		var rows []json.RawMessage
		if json.Unmarshal(value, &rows) != nil || text == "null" {
			return wrong("a list of objects")
		}
		list := reflect.MakeSlice(f.Type(), len(rows), len(rows))
		for i, row := range rows {
			if err := k.read(row, list.Index(i), m.rows); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		f.Set(list)
	default:
		if m.as == orNull && text == "null" {
			f.SetInt(0)
			return nil
		}
		n, err := strconv.ParseInt(text, 10, 64)
		least, largest := int64(0), int64(1<<62)
		switch {
		case m.as == asTime:
			least = -1 << 62
		case m.as == asNumber:
			largest = most
		}
		if err != nil || n < least || n > largest {
			return wrong(fmt.Sprintf("a whole number from %d to %d", least, largest))
		}
		if f.OverflowInt(n) {
			return wrong("a number of 32 bits")
		}
		f.SetInt(n)
	}
	return nil
}

// isNested reports whether a JSON value is an object or a list.
func isNested(value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) > 0 && (value[0] == '{' || value[0] == '[')
}
