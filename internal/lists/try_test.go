package lists

import (
	"slices"
	"strconv"
	"testing"
)

func TestTry(t *testing.T) {
	if got, err := Try([]string{"3", "1"}, strconv.Atoi); err != nil || !slices.Equal(got, []int{3, 1}) {
		t.Errorf("numbers %d, error %v", got, err)
	}
	if got, err := Try(nil, strconv.Atoi); err != nil || got != nil {
		t.Errorf("of nothing %d, error %v, want nil", got, err)
	}
	var tried []string
	got, err := Try([]string{"3", "a", "b"}, func(text string) (int, error) {
		tried = append(tried, text)
		return strconv.Atoi(text)
	})
	if got != nil || err == nil || !slices.Equal(tried, []string{"3", "a"}) {
		t.Errorf("numbers %d, error %v, tried %q; want the error of the first that is no number", got, err, tried)
	}
}
