// Package chromium drives a headless Chromium in tests, with real events of mouse and
// keyboard.
package chromium

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// Browser is a headless Chromium. The test talks to it over a pair of pipes, by
// the DevTools protocol: JSON messages, each followed by a zero byte.
type Browser struct {
	t       *testing.T
	in      *os.File
	answers chan Message
	Events  []Message // received while waiting for a response
	session string    // of the one page
	last    int
}

// Message is a message of the DevTools protocol.
type Message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Open starts Chromium with an empty profile and one empty page. Without
// Chromium it skips the test.
func Open(t *testing.T) *Browser {
	t.Helper()
	path := foreground.Need(t, "chromium")
	// The test removes the profile itself: child processes of the browser may
	// still write to it when the test ends, and then t.TempDir would fail.
	profile, err := os.MkdirTemp("", "limitgauge-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	toBrowser, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	c.ExtraFiles = []*os.File{toBrowser, fromBrowser} // file descriptors 3 and 4 of the child
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	b := &Browser{t: t, in: in, answers: make(chan Message, 1000)}
	go b.listen(out)
	t.Cleanup(func() {
		in.Close() // the browser exits when its input is closed
		gone := make(chan struct{})
		go func() { c.Wait(); close(gone) }()
		select {
		case <-gone:
		case <-wait.End(t):
			c.Process.Kill()
			<-gone
		}
		out.Close()
		os.RemoveAll(profile)
	})
	var target struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil, nil)
	}
	return b
}

func (b *Browser) listen(out *os.File) {
	defer close(b.answers)
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m Message
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.answers <- m
		}
	}
}

// next waits for the next message.
func (b *Browser) next() Message {
	b.t.Helper()
	select {
	case m, ok := <-b.answers:
		if !ok {
			b.t.Fatal("chromium went away")
		}
		return m
	case <-wait.End(b.t):
		b.t.Fatal("chromium says nothing")
	}
	return Message{}
}

// Call sends a command and decodes its response.
func (b *Browser) Call(method string, params any, into any) {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params})
	if err != nil {
		b.t.Fatal(err)
	}
	if b.session != "" {
		text = []byte(fmt.Sprintf(`{"sessionId":%q,%s`, b.session, text[1:]))
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.next()
		if m.ID != b.last {
			b.Events = append(b.Events, m)
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if into != nil {
			if err := json.Unmarshal(m.Result, into); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// LoadFile loads a file and waits until it is loaded.
func (b *Browser) LoadFile(path string) {
	b.t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		b.t.Fatal(err)
	}
	b.Load("file://" + full)
}

// Load loads an address and waits until it is loaded.
func (b *Browser) Load(url string) {
	b.t.Helper()
	first := len(b.Events)
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	for i := first; ; i++ {
		for ; i < len(b.Events); i++ {
			if b.Events[i].Method == "Page.loadEventFired" {
				return
			}
		}
		b.Events = append(b.Events, b.next())
		i--
	}
}

// Eval runs an expression in the page and decodes its value.
func (b *Browser) Eval(expression string, into any) {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Text string }
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, answer.ExceptionDetails.Text)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer.Result.Value, into); err != nil {
		b.t.Fatalf("%s: %v in %s", expression, err, answer.Result.Value)
	}
}

// Press sends a key as the keyboard does.
func (b *Browser) Press(key, text string, code int) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
		if kind == "keyDown" && text != "" {
			params["text"] = text
		}
		b.Call("Input.dispatchKeyEvent", params, nil)
	}
}

// Middle scrolls an element to the middle of the page and returns its box.
func (b *Browser) Middle(selector string) (box Box) {
	b.t.Helper()
	b.Eval(fmt.Sprintf(`(function () { var e = document.querySelector(%q); e.scrollIntoView({block: "center"}); var r = e.getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; })()`, selector), &box)
	return box
}

// Box is the place of an element in the window, in pixels.
type Box struct{ X, Y, Width, Height float64 }

// Mouse sends an event of the mouse: mouseMoved, mousePressed or mouseReleased.
func (b *Browser) Mouse(kind string, x, y float64, held bool) {
	b.t.Helper()
	params := map[string]any{"type": kind, "x": x, "y": y}
	if held {
		params["button"], params["buttons"], params["clickCount"] = "left", 1, 1
	}
	b.Call("Input.dispatchMouseEvent", params, nil)
}

// Screenshot returns the window, or the whole page, as PNG.
func (b *Browser) Screenshot(whole bool) []byte {
	b.t.Helper()
	var shot struct{ Data []byte }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": whole}, &shot)
	return shot.Data
}

// Click presses the mouse in the middle of the element.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	box := b.Middle(selector)
	at := struct{ X, Y float64 }{box.X + box.Width/2, box.Y + box.Height/2}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		params := map[string]any{"type": kind, "x": at.X, "y": at.Y}
		if kind != "mouseMoved" {
			params["button"], params["clickCount"] = "left", 1
		}
		b.Call("Input.dispatchMouseEvent", params, nil)
	}
}
