package perkey

// Many is the number of keys above which a table does not fit the caches next to a
// processor.
const Many = 1 << 14

// Touch reads the state of every key of a block before the block is decided. The
// states come from memory, which takes about 100 ns each. A loop that only loads
// has a dozen loads in flight at a time, a loop that decides two or three. The
// caller must store the returned sum somewhere; otherwise the compiler removes the
// reads.
func Touch(keys []int32, read func(key int32) int64) (sum int64) {
	for _, key := range keys {
		sum += read(key)
	}
	return sum
}
