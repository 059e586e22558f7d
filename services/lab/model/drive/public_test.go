package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"sellerapi.dev/services/lab/model"
)

type answer struct {
	status int
	// codes are the error code and, for the marketplace's calls, the code of the protocol; empty for a success.
	codes []string
	// data is the data of a success, problem is error_data, text is the JSON of data.
	data    any
	problem any
	text    string
	// replayed says that the answer is marked as a stored one. repeated says that the call was made before with an unknown outcome.
	replayed, repeated bool
	// lost is the reason why there is no answer.
	lost error
}

type envelope struct {
	Meta struct {
		ErrorCode *string `json:"error_code"`
		ErrorData any     `json:"error_data"`
	} `json:"meta"`
	Data json.RawMessage `json:"data"`
}

// sent is a public operation as it is sent. A key that is reused for the same operation sends the same bytes.
type sent struct {
	path string
	body []byte
	key  string
}

func (r *run) public(op model.Op) sent {
	path, body := r.address(op), r.body(op)
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // it holds texts only
	}
	return sent{path: "/open/v1" + path, body: text, key: r.names.key(op.Key)}
}

var addresses = map[model.Kind]string{
	model.Prepare: "/preparation", model.Ship: "/shipment", model.Deliver: "/delivery",
	model.CorrectParcel: "/shipment/correction",
}

func (r *run) address(op model.Op) string {
	switch op.Kind {
	case model.Batch:
		return "/orders/batch/shipment"
	case model.Check:
		return "/orders/batch/shipment/check"
	case model.ActClaim:
		return "/claims/" + r.names.claim(op.Claim) + "/" + op.Action
	case model.Answer:
		return "/qna/" + r.names.inquiry(op.Inquiry) + "/answer"
	default:
		return "/orders/" + r.names.order(op.Order) + addresses[op.Kind]
	}
}

func (r *run) body(op model.Op) map[string]any {
	body := map[string]any{}
	switch op.Kind {
	case model.Batch, model.Check:
		entries := make([]any, 0, len(op.Entries))
		for _, entry := range op.Entries {
			one := map[string]any{"order_no": r.names.order(entry.Order), "item_ids": r.itemIDs(entry.Order, entry.Items)}
			putParcel(one, &entry.Parcel)
			entries = append(entries, one)
		}
		body["items"] = entries
	case model.ActClaim:
		putParcel(body, op.Parcel)
		if op.Result != "" {
			body["result"] = op.Result
		}
		if op.Memo != nil {
			body["memo"] = *op.Memo
		}
	case model.Answer:
		body["content"] = op.Content
	default:
		body["item_ids"] = r.itemIDs(op.Order, op.Items)
		putParcel(body, op.Parcel)
	}
	return body
}

func putParcel(body map[string]any, parcel *model.Parcel) {
	if parcel == nil {
		return
	}
	body["carrier_name"], body["tracking_no"] = parcel.Carrier, parcel.TrackingNo
	if parcel.Logistics != nil {
		body["logistics_company"] = *parcel.Logistics
	}
}

func (r *run) itemIDs(order int, items []int) []string {
	ids := make([]string, 0, len(items))
	for _, item := range items {
		ids = append(ids, r.names.item(order, item, r.known))
	}
	return ids
}

func (r *run) post(ctx context.Context, s sent) answer {
	return r.again(ctx, func() answer {
		return r.exchange(ctx, http.MethodPost, s.path, s.body, s.key)
	})
}

func (r *run) get(ctx context.Context, path string) (any, error) {
	a := r.again(ctx, func() answer { return r.exchange(ctx, http.MethodGet, path, nil, "") })
	if a.lost == nil && a.status != http.StatusOK {
		a.lost = fmt.Errorf("%d %v", a.status, a.codes)
	}
	if a.lost != nil {
		return nil, fmt.Errorf("GET %s: %w", path, a.lost)
	}
	return a.data, nil
}

func (r *run) exchange(ctx context.Context, method, path string, body []byte, key string) (a answer) {
	request, err := http.NewRequestWithContext(ctx, method, r.system.gateway+path, bytes.NewReader(body))
	if err != nil {
		return answer{lost: err}
	}
	request.Header.Set("X-Api-Key", r.apiKey)
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := r.system.http.Do(request)
	if err != nil {
		return answer{lost: err}
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{lost: err}
	}
	a = answer{status: response.StatusCode, replayed: response.Header.Get("Idempotent-Replayed") == "true"}
	a.read(text)
	return a
}

func (a *answer) read(text []byte) {
	var e envelope
	if err := json.Unmarshal(text, &e); err != nil {
		a.lost = fmt.Errorf("%d, not the envelope: %.200s", a.status, text)
		return
	}
	a.text, a.problem = string(e.Data), e.Meta.ErrorData
	if e.Meta.ErrorCode != nil {
		a.codes = append(a.codes, *e.Meta.ErrorCode)
	} else if a.status != http.StatusOK {
		a.codes = append(a.codes, fmt.Sprintf("none of %d", a.status))
	}
	if err := json.Unmarshal(e.Data, &a.data); err != nil {
		a.lost = err
	}
}

func millisecondsOf(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
