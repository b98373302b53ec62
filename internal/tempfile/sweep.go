package tempfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

// A process may be killed in a way that it cannot notice. What it leaves is
// recognised by three signs, all of which must hold:
//
//   - The name has exactly the form of nameOf, which no other program and no
//     person uses, and it is a regular file.
//   - Nobody holds the lock that Create takes on a new file. The system releases
//     the lock when the process ends in any way. The process id in the name says
//     nothing: the system uses ids again, and containers have ids of their own.
//   - It was made under this boot of this machine's system. Locks are not visible
//     to other machines on every network folder, so a file of another machine, or of
//     an earlier boot, which looks the same, must also be unchanged for a day.
const foreign = 24 * time.Hour

var pattern = regexp.MustCompile(`^\.limitgauge-([0-9a-f]{8})-[0-9]{1,10}-[0-9]{1,10}\.tmp$`)

// nameOf returns a name for a temporary file of this process. The process id is
// for people who look for its owner.
func nameOf(number int) string {
	return fmt.Sprintf(".limitgauge-%s-%d-%d.tmp", boot(), os.Getpid(), number)
}

// IsName reports whether a file name is one that Create gives.
func IsName(name string) bool { return pattern.MatchString(name) }

// Failed reports whether an error is that of a temporary file, such as one that a full
// disk does not take.
func Failed(err error) bool {
	of, ok := errors.AsType[*fs.PathError](err)
	return ok && IsName(filepath.Base(of.Path))
}

// boot identifies the running system: where Linux names its boot, all containers
// of a machine agree.
var boot = sync.OnceValue(func() string {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		host, _ := os.Hostname()
		text = []byte(host)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
})

// sweep removes what killed processes have left in a folder. It ignores errors: a
// folder that cannot be read may still be written to.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		parts := pattern.FindStringSubmatch(e.Name())
		if parts == nil || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if err != nil || parts[1] != boot() && time.Since(info.ModTime()) < foreign {
			continue
		}
		removeFree(filepath.Join(dir, e.Name()), info)
	}
}
