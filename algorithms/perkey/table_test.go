package perkey

import "testing"

// A Table behaves like a map whose elements never move.
func TestTableIsMap(t *testing.T) {
	var table Table[int64]
	model := map[int32]int64{}
	first := table.At(0)
	for i := range int64(10_000) {
		key := int32(i * i * 7919 % 100_003 % 5_000)
		if got := table.Peek(key); got != model[key] {
			t.Fatalf("key %d holds %d, want %d", key, got, model[key])
		}
		*table.At(key) += i
		model[key] += i
	}
	if table.At(0) != first {
		t.Error("the state of key 0 has moved")
	}
	if got := table.Peek(1 << 30); got != 0 {
		t.Errorf("a key that was never touched holds %d", got)
	}
	sum, last := int64(0), int32(-1)
	table.Each(func(key int32, state *int64) {
		if key <= last || *state != model[key] {
			t.Fatalf("after key %d comes key %d with %d, want %d", last, key, *state, model[key])
		}
		sum, last = sum+*state, key
	})
	if want := int64(10_000 * 9_999 / 2); sum != want {
		t.Errorf("all keys add up to %d, want %d", sum, want)
	}
	copied := table.Copy()
	*table.At(0) = -1
	if got := copied.Peek(0); got != model[0] {
		t.Errorf("a copy holds %d for key 0, want %d", got, model[0])
	}
	table.Clear()
	if got := table.Peek(0); got != 0 {
		t.Errorf("after Clear key 0 holds %d", got)
	}
}
