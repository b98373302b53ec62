package perkey

// Many keys are more than the caches next to a processor hold the states of.
const Many = 1 << 14

// Touch looks at the state of every key of a block once, before they are worked
// on. What is worked on has to come from memory, a hundred nanoseconds away, and
// a loop that does nothing but load has a dozen states on their way at a time
// where one that decides has two or three. The sum of what it has read must be
// kept somewhere, or the compiler leaves it out.
func Touch(keys []int32, read func(key int32) int64) (sum int64) {
	for _, key := range keys {
		sum += read(key)
	}
	return sum
}
