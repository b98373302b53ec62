package html

import (
	"html/template"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/figure/svg"
)

// drawing holds the functions with which the template draws figures.
var drawing = template.FuncMap{
	"grid":   gridOf,
	"sample": func(e figure.Entry) template.HTML { return template.HTML(svg.Sample(e)) },
	"panels": func(f *figure.Figure) []template.HTML {
		return lists.Map(svg.Panels(f), func(text string) template.HTML { return template.HTML(text) })
	},
}

// figures builds figures and leaves out those that show nothing.
func figures(builders []figure.Builder) (list []*figure.Figure) {
	for _, build := range builders {
		if f := build(); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// gridOf returns the CSS class of a grid whose panels have this width in
// pixels.
func gridOf(width float64) string {
	switch {
	case width <= 360:
		return "small"
	case width <= 430:
		return "medium"
	case width <= 560:
		return "large"
	}
	return "wide"
}
