package remote

// Cache is what one replica remembers of keys that are over their limit: until
// when each is. It holds no more than the keys it was told of since they were
// last asked about in vain.
type Cache struct {
	until map[int32]int64
}

// Remember says that the key is over its limit until an instant.
func (c *Cache) Remember(key int32, until int64) {
	if c.until == nil {
		c.until = make(map[int32]int64)
	}
	if until > c.until[key] {
		c.until[key] = until
	}
}

// Over says whether the key is known to be over its limit at now.
func (c *Cache) Over(key int32, now int64) bool {
	until, known := c.until[key]
	if known && now >= until {
		delete(c.until, key)
	}
	return now < until
}

// Forget empties the cache, as a restart does.
func (c *Cache) Forget() { clear(c.until) }
