package inputs

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// HashFlags holds the flags that hide the names of keys.
type HashFlags struct {
	on     bool
	Secret string
}

// Flags adds the flags to a command.
func (h *HashFlags) Flags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&h.on, "hash-keys", false, "show a keyed hash in place of each key's name, in everything that is written, so that it can be passed on; flags still take the name")
	f.StringVar(&h.Secret, "hash-secret", "", "with --hash-keys, take the secret of the hash from `FILE`, so that runs can be compared; a random one for each run unless given")
}

// leastSecret is the least length of a secret in bytes. Names such as IP
// addresses can be tried one by one, and so can short secrets.
const leastSecret = 16

// hashDigits is the length of a hash in hexadecimal digits.
const hashDigits = 12

// Hash returns the function that hashes names, or nil if names are shown.
func (h *HashFlags) Hash() (func(name string) string, error) {
	if !h.on {
		if h.Secret != "" {
			return nil, usage.Errorf("--hash-secret %s: goes with --hash-keys", h.Secret)
		}
		return nil, nil
	}
	secret := []byte(rand.Text())
	if h.Secret != "" {
		text, err := os.ReadFile(h.Secret)
		if err != nil {
			return nil, usage.Errorf("--hash-secret: %w", err)
		}
		if secret = bytes.TrimSpace(text); len(secret) < leastSecret {
			return nil, usage.Errorf("--hash-secret %s: holds a secret of %d bytes, want at least %d, so that it cannot be guessed", h.Secret, len(secret), leastSecret)
		}
	}
	return func(name string) string {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(name))
		return hex.EncodeToString(mac.Sum(nil))[:hashDigits]
	}, nil
}
