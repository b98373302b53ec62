package units

import (
	"errors"
	"fmt"
	"strconv"
)

var sizes = []struct {
	name  string
	bytes int64
}{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1},
}

// ParseSize parses an amount of memory as bytes: "256MiB", "1.5GiB", "512KiB".
func ParseSize(text string) (int64, error) {
	number, unit := split(text)
	d, err := parseDecimal(number)
	if err == nil {
		for _, s := range sizes {
			if s.name != unit {
				continue
			}
			n, err := d.times(s.bytes)
			if errors.Is(err, errTooLarge) {
				return 0, fmt.Errorf("size %q is too large", clip(text))
			}
			if err != nil {
				return 0, fmt.Errorf("size %q is not a whole number of bytes", clip(text))
			}
			return n, nil
		}
	}
	return 0, fmt.Errorf("%q is not a size in KiB, MiB, GiB or TiB, such as 256MiB", clip(text))
}

// FormatSize writes bytes in the notation of ParseSize, in the largest unit of
// which they are a whole multiple.
func FormatSize(bytes int64) string {
	for _, s := range sizes {
		if bytes != 0 && bytes%s.bytes == 0 {
			return strconv.FormatInt(bytes/s.bytes, 10) + s.name
		}
	}
	return "0B"
}
