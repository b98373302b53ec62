package gauge

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// bubbledStack matches the head of the stack of a goroutine in a bubble.
var bubbledStack = regexp.MustCompile(`^goroutine \d+ [^\n]*(synctest bubble \d+)[],]`)

// bubbleName returns the name of the current goroutine's bubble in stacks.
func bubbleName() string {
	stack := make([]byte, 1024)
	if m := bubbledStack.FindSubmatch(stack[:runtime.Stack(stack, false)]); m != nil {
		return string(m[1])
	}
	return ""
}

// mostStacks and mostFrames limit what is shown of goroutines.
const mostStacks, mostFrames = 5, 8

// stacks returns the stacks of goroutines in a bubble, or outside of bubbles if its name
// is "", that run code of a limiter.
func stacks(bubble string) string {
	all := make([]byte, 1<<22)
	all = all[:runtime.Stack(all, true)]
	var shown []string
	more := 0
	for stack := range strings.SplitSeq(string(all), "\n\n") {
		in := ""
		if m := bubbledStack.FindStringSubmatch(stack); m != nil {
			in = m[1]
		}
		if in != bubble {
			continue
		}
		lines := limiterFrames(strings.Split(strings.TrimSpace(stack), "\n")[1:])
		switch {
		case len(lines) == 0:
		case len(shown) == mostStacks:
			more++
		default:
			head, _, _ := strings.Cut(stack, "\n")
			shown = append(shown, head+"\n"+strings.Join(lines, "\n"))
		}
	}
	if more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more goroutines", more))
	}
	return strings.Join(shown, "\n\n")
}

// panicStack returns the frames of the limiter in the stack of the panic that is being
// recovered.
func panicStack() string {
	lines := strings.Split(strings.TrimSpace(string(debug.Stack())), "\n")
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "panic(") }); i >= 0 {
		return strings.Join(limiterFrames(lines[i:]), "\n")
	}
	return ""
}

// ourCode and standardCode match functions of frames that are not code of a limiter.
var (
	ourCode      = regexp.MustCompile(`^github\.com/limitgauge/limitgauge/(gauge|sim|sim/[\w/]+)\.`)
	standardCode = regexp.MustCompile(`^(panic\(|(runtime|sync|time|context|testing|internal/\w+|testing/synctest)\.)`)
)

// limiterFrames returns the frames of a stack down to the first one of this module,
// each as two lines, and where the goroutine was created. It returns nothing if none of
// them is code of a limiter.
func limiterFrames(lines []string) (frames []string) {
	found := false
	for i := 0; i+1 < len(lines); i += 2 {
		if creator, ok := strings.CutPrefix(lines[i], "created by "); ok {
			if !ourCode.MatchString(creator) && !standardCode.MatchString(creator) {
				found = true
				frames = append(frames, lines[i], lines[i+1])
			}
			break
		}
		if ourCode.MatchString(lines[i]) {
			break
		}
		found = found || !standardCode.MatchString(lines[i])
		if len(frames) < 2*mostFrames {
			frames = append(frames, lines[i], lines[i+1])
		}
	}
	if !found {
		return nil
	}
	return frames
}
