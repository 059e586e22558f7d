package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

type page struct {
	List []struct {
		OrderNo   string `json:"order_no"`
		ClaimNo   string `json:"claim_no"`
		UpdatedAt string `json:"updated_at"`
	} `json:"list"`
	NextCursor *string `json:"next_cursor"`
}

func (w *world) read(ctx context.Context, s *seller, target string) (found page, err error) {
	return found, w.data(ctx, s, target, &found)
}

// requireShipped returns an error unless the gateway reports the order as shipped: a side that did not do its work would be fast.
func (w *world) requireShipped(ctx context.Context, s *seller, orderNo string) error {
	var order struct {
		Items []struct {
			Status string `json:"item_status"`
		} `json:"items"`
	}
	if err := w.data(ctx, s, "/open/v1/orders/"+orderNo, &order); err != nil {
		return err
	}
	if len(order.Items) != 1 || order.Items[0].Status != "shipping" {
		return fmt.Errorf("order %s is not shipped: %+v", orderNo, order)
	}
	return nil
}

func (w *world) data(ctx context.Context, s *seller, target string, into any) error {
	response, err := w.call(ctx, s, target)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: the gateway responded with %s", target, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(&struct {
		Data any `json:"data"`
	}{into})
}

func (w *world) call(ctx context.Context, s *seller, target string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.env.GatewayURL+target, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-Api-Key", s.key)
	return http.DefaultClient.Do(request)
}

type walk struct {
	// cursors lead to the second page and those after it; the last one leads to the last full page.
	cursors []string
	// numbers are the numbers of the first order of each page.
	numbers []string
	// changed holds the updated_at of the first order of each page.
	changed []string
	orders  int
}

func (w *world) walkThrough(ctx context.Context, s *seller) (*walk, error) {
	found := &walk{}
	parameters := url.Values{"limit": {strconv.Itoa(w.page)}}
	for {
		got, err := w.read(ctx, s, "/open/v1/orders?"+parameters.Encode())
		if err != nil {
			return nil, err
		}
		found.orders += len(got.List)
		if len(got.List) > 0 {
			found.numbers, found.changed = append(found.numbers, got.List[0].OrderNo), append(found.changed, got.List[0].UpdatedAt)
		}
		if got.NextCursor == nil {
			if len(got.List) < w.page && len(found.cursors) > 0 {
				found.cursors = found.cursors[:len(found.cursors)-1]
			}
			return found, nil
		}
		found.cursors = append(found.cursors, *got.NextCursor)
		parameters.Set("cursor", *got.NextCursor)
	}
}

// oldest returns a time up to which the list has a little more than a page left.
func (w *walk) oldest() string { return w.changed[len(w.cursors)-1] }
