package kept

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// TestRoomIn checks that rows, with 16 bytes each for sorting, and the runs of a merge,
// with a block and its rows each, take as much of half of the memory as they can.
func TestRoomIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Shape{Wide: rapid.IntRange(0, 60).Draw(t, "wide"), Codes: rapid.IntRange(1, 5).Draw(t, "codes")}
		bytes := LeastMemory<<rapid.Int64Range(0, 12).Draw(t, "shift") + rapid.Int64Range(0, 1<<20).Draw(t, "bytes")
		room := RoomIn(bytes, s)
		row, run := s.rowBytes()+16, 2*BlockRows*s.rowBytes()
		if half := int(bytes / 2); room.Memory != half ||
			room.Rows > BlockRows && room.Rows*row > half || (room.Rows+1)*row <= half ||
			room.Runs != max(2, half/run) || room.Rows < BlockRows {
			t.Fatalf("%d bytes, rows of %d: %+v", bytes, s.rowBytes(), room)
		}
	})
	if got, want := RoomIn(0, Shape{Codes: 1}), RoomIn(DefaultMemory, Shape{Codes: 1}); got.Rows != want.Rows || got.Memory != want.Memory || got.Runs != want.Runs {
		t.Errorf("no memory given: %+v, want %+v", got, want)
	}
}
