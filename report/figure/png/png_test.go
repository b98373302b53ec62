package png

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/report/figure"
)

// small returns a figure of two panels with shapes of every kind.
func small() *figure.Figure {
	p := figure.Panel{
		Title: "panel", X: figure.Axis{Label: "x", Hi: 10, Ticks: []figure.Tick{{Value: 5, Label: "5"}}},
		Y: figure.Axis{Rows: []string{"first", "second"}},
		Marks: []figure.Mark{{Title: "ignored", Shapes: []figure.Shape{
			figure.Bar{Paint: figure.Admitted, Row: 0, To: 9, Half: 0.5, Most: 1000},
			figure.Whisker{Y: 1, Lo: 2, Hi: 3}, figure.Upright{Paint: figure.FairShare, Row: 1, X: 5, Half: 0.4, Most: 50},
			figure.Spot{Paint: figure.Reference, X: 7, Y: 1, Radius: 5}, figure.Spot{Paint: figure.Series(7), X: 8, Y: 1, Radius: 5},
			figure.Line{Paint: figure.Limit, Points: []figure.Point{{X: 1, Y: 1}, {X: 2, Y: 1}}}, figure.Value{Row: 1, X: 9, Words: "9"},
		}}},
	}
	return &figure.Figure{
		Title: "Title", Scenario: "scenario", Setting: "seed 1", Subtitle: "drawn here", Columns: 2, Panels: []figure.Panel{p, p},
		Legend: []figure.Entry{{Label: "bar", Paint: figure.Admitted, Sample: figure.Area}, {Label: "interval", Paint: figure.Interval, Sample: figure.WhiskerSample}},
	}
}

func draw(t *testing.T, f *figure.Figure) ([]byte, image.Image) {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), img
}

// An image has the right size, the same bytes in each run, and the paints of
// its figure.
func TestWrite(t *testing.T) {
	first, img := draw(t, small())
	if second, _ := draw(t, small()); !bytes.Equal(first, second) {
		t.Error("drawn twice, the bytes differ")
	}
	if size := img.Bounds().Size(); size.X != 1200 || size.Y != 800 {
		t.Errorf("%d x %d pixels, want 1200 x 800", size.X, size.Y)
	}
	found := map[color.Color]int{}
	for y := range 800 {
		for x := range 1200 {
			found[color.NRGBAModel.Convert(img.At(x, y))]++
		}
	}
	for name, want := range map[string]struct {
		color color.Color
		least int
	}{"bars": {blue, 100_000}, "reference": {grey, 60}, "fair share and limit": {vermillion, 100}, "intervals": {black, 50}} {
		if got := found[want.color]; got < want.least {
			t.Errorf("%s: %d pixels of %v, want at least %d", name, got, want.color, want.least)
		}
	}
	// The name of a row is only on the left of the first panel.
	if ink(img, image.Rect(19, 300, 52, 320))+ink(img, image.Rect(19, 200, 52, 400)) == 0 {
		t.Error("no name stands beside the first row")
	}
}

// ink counts the pixels of a part that are not white.
func ink(img image.Image, part image.Rectangle) (n int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0xffff {
				n++
			}
		}
	}
	return n
}

// Two ones have the same distance as any other two digits.
func TestOnesStandApart(t *testing.T) {
	c := &canvas{}
	for _, f := range []figure.Font{figure.TitleText, figure.LabelText, figure.SmallText} {
		for _, words := range [][2]string{{"11", "22"}, {"11.8", "22.8"}, {"1111", "2222"}} {
			if got, want := c.Width(f, words[0]), c.Width(f, words[1]); got != want {
				t.Errorf("%s is %v wide, %s %v", words[0], got, words[1], want)
			}
		}
	}
}

// A name of a megabyte is shortened without measuring it repeatedly.
func TestLongNames(t *testing.T) {
	f := small()
	long := string(bytes.Repeat([]byte("name "), 200_000))
	f.Title, f.Subtitle, f.Legend[0].Label, f.Panels[0].Title, f.Panels[0].Y.Rows[0] = long, long, long, long, long
	draw(t, f)
}

// TestHeatDarkens checks that the shades of a heat map go in equal steps from nearly white
// to more than half of one colour, so that each differs from the next.
func TestHeatDarkens(t *testing.T) {
	part := func(level int) float64 {
		c := styleOf(figure.Heat(level)).color.(color.NRGBA)
		if c.R > c.G || c.G > c.B || c.A != 0xff {
			t.Errorf("shade %d is %v, no blue", level, c)
		}
		return float64(255-c.R) / 255 // the blue has no red
	}
	for level := range figure.HeatLevels {
		if want := 0.04 + 0.56*float64(level)/(figure.HeatLevels-1); math.Abs(part(level)-want) > 1./255 {
			t.Errorf("shade %d has %.3f of the colour, want %.3f", level, part(level), want)
		}
	}
	if c := styleOf(figure.Heat(figure.HeatLevels - 1)).color.(color.NRGBA); c.G < 160 || c.G > 180 {
		t.Errorf("the darkest shade is %v", c)
	}
}
