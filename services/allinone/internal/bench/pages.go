package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// measurePages measures every page at all sizes.
func (b *benchmark) measurePages(ctx context.Context) ([]result, error) {
	var results []result
	for n, name := range caseNames() {
		b.say("measuring: %s", name)
		measured, err := b.measurePage(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		results = append(results, measured...)
	}
	return results, nil
}

// measurePage takes both sides of all sizes in turns.
func (b *benchmark) measurePage(ctx context.Context, caseNumber int) ([]result, error) {
	results := make([]result, len(b.worlds))
	scripts := make([]script, len(b.worlds))
	for i, w := range b.worlds {
		c := w.cases[caseNumber]
		page, err := w.read(ctx, c)
		if err != nil {
			return nil, err
		}
		results[i] = result{name: c.name, orders: w.orders, atOnce: b.Concurrency, rows: len(page.List)}
		captured, err := b.capturePage(ctx, w, c)
		if err != nil {
			return nil, err
		}
		scripts[i] = captured.script()
	}
	for range b.Rounds {
		for i, w := range b.worlds {
			through, err := b.load(ctx, w, w.cases[caseNumber], b.Time)
			if err != nil {
				return nil, err
			}
			alone, err := b.pgbench(ctx, w, scripts[i], b.Concurrency, b.forSeconds())
			if err != nil {
				return nil, err
			}
			results[i].add(through, alone)
		}
	}
	return results, nil
}

// page is what the benchmark looks at in a page.
type page struct {
	List       []json.RawMessage `json:"list"`
	NextCursor *string           `json:"next_cursor"`
}

// read reads the case's page.
func (w *world) read(ctx context.Context, c benchCase) (page, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.env.GatewayURL+c.path(), nil)
	if err != nil {
		return page{}, err
	}
	request.Header.Set("X-Api-Key", w.keys[0])
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return page{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return page{}, fmt.Errorf("the gateway answers %s", response.Status)
	}
	var answer struct {
		Data page `json:"data"`
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	return answer.Data, err
}
