package machinetest

import (
	"fmt"
	"slices"
	"strings"

	"sellerapi.dev/pkg/machine"
)

// Measures of a picture, in pixels.
const (
	boxWidth   = 190
	boxHeight  = 56 // room for three arrows to the side
	rowHeight  = 104
	leftColumn = 250 // room for arrows that pass a state by
	sideColumn = 720
	wide       = sideColumn + boxWidth + 10
)

// picture draws the way through a machine from top to bottom, in the order of its states, up to the first state that
// ends it; other ends stand at the side.
type picture[S, T ~string] struct {
	b          strings.Builder
	main, side []S
	arrows     []drawn[S]
}

// drawn is all rules between two states as one arrow.
type drawn[S ~string] struct {
	from, to S
	label    string
}

// Picture renders the rules of a machine that show selects, and the states that they touch, as SVG. It takes its colours from
// the text around it.
func Picture[S, T ~string](m *machine.Machine[S, T], show func(machine.Rule[S, T]) bool) string {
	p := &picture[S, T]{}
	touched := map[S]bool{}
	for _, rule := range m.Rules() {
		if show(rule) {
			touched[rule.From], touched[rule.To] = true, true
			p.add(rule)
		}
	}
	ended := false
	for _, state := range m.States() {
		switch {
		case !touched[state.Name]:
		case state.Terminal && ended:
			p.side = append(p.side, state.Name)
		default:
			p.main = append(p.main, state.Name)
			ended = ended || state.Terminal
		}
	}
	return p.draw()
}

// add draws a rule, together with those between the same states.
func (p *picture[S, T]) add(rule machine.Rule[S, T]) {
	for i := range p.arrows {
		if p.arrows[i].from == rule.From && p.arrows[i].to == rule.To {
			if !slices.Contains(strings.Split(p.arrows[i].label, ", "), string(rule.Trigger)) {
				p.arrows[i].label += ", " + string(rule.Trigger)
			}
			return
		}
	}
	p.arrows = append(p.arrows, drawn[S]{from: rule.From, to: rule.To, label: string(rule.Trigger)})
}

func (p *picture[S, T]) draw() string {
	high := len(p.main)*rowHeight - rowHeight + boxHeight + 20
	fmt.Fprintf(&p.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="ui-monospace, monospace" font-size="13" fill="currentColor" stroke="none">`+"\n", wide, high)
	for _, arrow := range p.arrows {
		p.arrow(arrow)
	}
	for i, state := range p.main {
		p.box(leftColumn, top(i), state)
	}
	for i, state := range p.side {
		p.box(sideColumn, p.sideTop(i), state)
	}
	p.b.WriteString("</svg>\n")
	return p.b.String()
}

func top(row int) int { return 10 + row*rowHeight }

func (p *picture[S, T]) sideTop(i int) int {
	return top(0) + (2*i+1)*(len(p.main)-1)*rowHeight/(2*len(p.side))
}

func (p *picture[S, T]) box(x, y int, state S) {
	fmt.Fprintf(&p.b, `<rect x="%d" y="%d" width="%d" height="%d" rx="7" fill="none" stroke="currentColor" stroke-width="1.5"/>`+"\n", x, y, boxWidth, boxHeight)
	fmt.Fprintf(&p.b, `<text x="%d" y="%d" text-anchor="middle" font-weight="600">%s</text>`+"\n", x+boxWidth/2,
		y+boxHeight/2+5, state)
}

// arrow draws an arrow: down to the next row, past rows on the left, or to the side.
func (p *picture[S, T]) arrow(a drawn[S]) {
	from, to, middle := slices.Index(p.main, a.from), slices.Index(p.main, a.to), leftColumn+boxWidth/2
	switch {
	case to == from+1:
		y, end := top(from)+boxHeight, top(to)
		p.line(fmt.Sprintf("M%d %dV%d", middle, y, end-6), middle, end, "down")
		p.label(middle+8, (y+end)/2+4, "start", a.label)
	case to >= 0:
		y, end := top(from)+boxHeight/2, top(to)+boxHeight/2
		bend := leftColumn - 36
		p.line(fmt.Sprintf("M%d %dC%d %d %d %d %d %d", leftColumn, y, bend, y, bend, end, leftColumn-6, end), leftColumn, end, "right")
		p.label(bend-4+12, (y+end)/2+4, "end", a.label)
	default:
		p.sideways(a, from)
	}
}

// sideways draws an arrow to an end at the side. Those of one state leave it one below the other.
func (p *picture[S, T]) sideways(a drawn[S], from int) {
	nth := 0
	for _, other := range p.arrows {
		if other == a {
			break
		}
		if other.from == a.from && slices.Contains(p.side, other.to) {
			nth++
		}
	}
	x, y := leftColumn+boxWidth, top(from)+8+nth*20
	end := p.sideTop(slices.Index(p.side, a.to)) + boxHeight/2
	p.line(fmt.Sprintf("M%d %dH%dC%d %d %d %d %d %d", x, y, x+150, x+210, y, sideColumn-70, end, sideColumn-6, end),
		sideColumn, end, "right")
	p.label(x+8, y-4, "start", a.label)
}

func (p *picture[S, T]) line(path string, x, y int, towards string) {
	head := fmt.Sprintf("M%d %dl-8 -5v10z", x, y)
	if towards == "down" {
		head = fmt.Sprintf("M%d %dl-5 -8h10z", x, y)
	}
	fmt.Fprintf(&p.b, `<path d="%s" fill="none" stroke="currentColor" opacity=".7"/><path d="%s"/>`+"\n", path, head)
}

func (p *picture[S, T]) label(x, y int, anchor, text string) {
	fmt.Fprintf(&p.b, `<text x="%d" y="%d" text-anchor="%s">%s</text>`+"\n", x, y, anchor, text)
}
