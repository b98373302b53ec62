package traffic

import "testing"

// TestDigest checks that a digest changes with each column that a plan uses and with the
// order, and that equal arrivals in equal blocks have equal ones.
func TestDigest(t *testing.T) {
	digest := func(change func(b *Block)) string {
		d := Digest{times: 1, step: 1}
		for n := range 2 {
			b := NewBlock()
			b.settle()
			b.N = 100
			b.Rejected = make([]int32, b.N)
			b.Descriptors.Reset()
			for i := range b.N {
				b.Time[i], b.Key[i], b.Tenant[i], b.Client[i] = int64(1000*(n*b.N+i)), int32(i%3), int32(i%5), int32(i%7)
				b.Cost[i], b.Estimate[i], b.Answer[i] = int64(1+i%4), int64(i), int64(2*i)
				b.Descriptors.Add([]int32{int32(i), int32(i + 1)})
			}
			if n == 1 {
				change(b)
			}
			d.Add(b)
		}
		return d.String()
	}
	seen := map[string]string{}
	for name, change := range map[string]func(b *Block){
		"nothing": func(*Block) {}, "fewer": func(b *Block) { b.N-- },
		"time": func(b *Block) { b.Time[50]++ }, "key": func(b *Block) { b.Key[50]++ }, "tenants": func(b *Block) { b.Tenant[48]++ },
		"client": func(b *Block) { b.Client[50]++ }, "cost": func(b *Block) { b.Cost[50]++ },
		"order of keys":    func(b *Block) { b.Key[50], b.Key[51] = b.Key[51], b.Key[50] },
		"order of clients": func(b *Block) { b.Client[50], b.Client[51] = b.Client[51], b.Client[50] },
		"order of costs":   func(b *Block) { b.Cost[50], b.Cost[51] = b.Cost[51], b.Cost[50] },
		"verdict":          func(b *Block) { b.Rejected[50] = 1 }, "estimate": func(b *Block) { b.Estimate[50]++ },
		"answer": func(b *Block) { b.Answer[50]++ }, "descriptor": func(b *Block) { b.Descriptors.Keys[50]++ },
	} {
		d := digest(change)
		if other, known := seen[d]; known {
			t.Errorf("%s and %s have the same digest %s", name, other, d)
		}
		seen[d] = name
		if again := digest(change); again != d || len(d) != 16 {
			t.Errorf("%s: digests %s and %s", name, d, again)
		}
	}
}
