package html

import (
	"html/template"

	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/figure/svg"
	"github.com/limitgauge/limitgauge/results"
)

// drawn is a figure as the template shows it.
type drawn struct {
	Title, Caption string
	Legend         []legendItem
	Grid           string // the CSS class of the panels' size
	Panels         []template.HTML
}

// legendItem is a sample of a mark and its meaning.
type legendItem struct {
	Swatch template.HTML
	Name   string
}

// figures draws the figures of a part of a document with one scenario.
func figures(part *results.Document) (list []drawn) {
	for _, build := range figure.Of(part, figure.Page) {
		f := build()
		if f == nil {
			continue
		}
		one := drawn{Title: f.Title, Caption: f.Caption(), Grid: gridOf(f.Width)}
		for _, e := range f.Legend {
			one.Legend = append(one.Legend, legendItem{template.HTML(svg.Sample(e)), e.Label})
		}
		for _, text := range svg.Panels(f) {
			one.Panels = append(one.Panels, template.HTML(text))
		}
		list = append(list, one)
	}
	return list
}

// gridOf returns the CSS class of a grid whose panels have this width in
// pixels.
func gridOf(width float64) string {
	switch {
	case width < 400:
		return "small"
	case width < 500:
		return "medium"
	}
	return "large"
}
