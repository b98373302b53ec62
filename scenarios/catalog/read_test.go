package catalog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	type kind uint8
	type config struct {
		Wait     int64  `option:"wait"`
		Count    int    `option:"count"`
		Full     bool   `option:"share=full"`
		Rejects  bool   `option:"share=divided"`
		Kind     kind   `option:"kind=a|b"`
		Choice   Choice `option:"kind_of"`
		Place    kind   `option:"kind_of=x|y"`
		Missing  int64  `option:"missing"`
		Other    kind   `option:"other=a|b"`
		Untagged int64
	}
	choice := Choice{Name: "y"}
	v := Values{"wait": {V: int64(5)}, "count": {V: int64(7)}, "share": {V: "full"}, "kind": {V: "b"}, "kind_of": {V: choice}, "missing": {}, "other": {V: "z"}}
	got := config{Missing: 3, Other: 1, Untagged: 9}
	v.Read(&got)
	want := config{Wait: 5, Count: 7, Full: true, Kind: 1, Choice: choice, Place: 1, Missing: 3, Other: 1, Untagged: 9}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
