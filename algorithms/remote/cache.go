package remote

// Cache stores, in one replica, until when keys are over their limit. It removes a
// key when it is looked up after that time. The zero Cache is empty. It is not
// safe for concurrent use.
type Cache struct {
	until map[int32]int64
}

// Remember stores that the key is over its limit until a time.
func (c *Cache) Remember(key int32, until int64) {
	if c.until == nil {
		c.until = make(map[int32]int64)
	}
	if until > c.until[key] {
		c.until[key] = until
	}
}

// Over reports whether the key is known to be over its limit at now.
func (c *Cache) Over(key int32, now int64) bool {
	until, known := c.until[key]
	if known && now >= until {
		delete(c.until, key)
	}
	return now < until
}

// Forget empties the cache, like a restart.
func (c *Cache) Forget() { clear(c.until) }
