package stacktest

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Result is the response to a process call on one order, as the specification describes it to
// clients.
type Result struct {
	OrderNo     string       `json:"order_no"`
	OrderStatus string       `json:"order_status"`
	UpdatedAt   string       `json:"updated_at"`
	Items       []ResultItem `json:"items"`
	Warnings    []Warning    `json:"warnings"`
}

// ResultItem is a line that was processed. The parcel fields are nil where the response has none.
type ResultItem struct {
	ItemID      string  `json:"item_id"`
	ItemCode    string  `json:"item_code"`
	ItemStatus  string  `json:"item_status"`
	AlreadyDone bool    `json:"already_done"`
	TrackingNo  *string `json:"tracking_no"`
	CarrierName *string `json:"carrier_name"`
}

// Warning is a warning about a field of a request that was accepted.
type Warning struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// BatchResult is the response to a batch shipment.
type BatchResult struct {
	Succeeded []string      `json:"succeeded"`
	Failed    []BatchFailed `json:"failed"`
	Summary   struct {
		Succeeded int `json:"succeeded"`
		Failed    int `json:"failed"`
	} `json:"summary"`
	Warnings []Warning `json:"warnings"`
}

// BatchFailed is a failed entry of a batch.
type BatchFailed struct {
	OrderNo   string   `json:"order_no"`
	ItemIDs   []string `json:"order_item_public_ids"`
	ErrorCode string   `json:"error_code"`
	Message   string   `json:"message"`
}

// PostJSON is Post with a body that is encoded as JSON.
func PostJSON(t *testing.T, key, path string, body any) Call {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	return Post(key, path, string(text))
}

// Together sends all calls at once and returns their answers in the order of the calls. A call
// whose limits could not be checked is retried afterwards, as Do does.
func (s *Stack) Together(t *testing.T, calls ...Call) []Answer {
	t.Helper()
	answers, problems := make([]Answer, len(calls)), make([]error, len(calls))
	start := make(chan struct{})
	var sent sync.WaitGroup
	for i, call := range calls {
		request := s.request(t, call)
		sent.Go(func() {
			<-start
			answers[i], problems[i] = s.send(request)
		})
	}
	close(start)
	sent.Wait()
	for i := range answers {
		require.NoError(t, problems[i])
		answers[i].read(t)
		if answers[i].isBusy() {
			answers[i] = s.Do(t, calls[i])
			answers[i].Unchecked++
		}
	}
	return answers
}

func (s *Stack) send(request *http.Request) (Answer, error) {
	response, err := s.http.Do(request)
	if err != nil {
		return Answer{}, err
	}
	body, err := io.ReadAll(response.Body)
	if closed := response.Body.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return Answer{}, err
	}
	body, err = decompressed(body, response.Header.Get("Content-Encoding"))
	return Answer{Status: response.StatusCode, Header: response.Header, Body: body}, err
}

// HoldLine marks a line as held by a claim in the database, as the claims service would, so
// that a test can see what a seller may do with such a line without creating a claim.
func (s *Stack) HoldLine(t *testing.T, itemID string) {
	t.Helper()
	s.changeLine(t, "update orders.lines set has_active_claim = true, claim_no = $2, auto_confirm_at = null where item_id = $1",
		itemID, "C-"+itemID)
}

// MakeExchangeLine turns a line into an exchange line. gate is the progress of the exchange:
// waiting (not reshipping yet), open or ended.
func (s *Stack) MakeExchangeLine(t *testing.T, itemID, gate string) {
	t.Helper()
	s.changeLine(t, "update orders.lines set is_exchange = true, exchange_gate = $2 where item_id = $1", itemID, gate)
}

// changeLine changes one line in the database directly.
func (s *Stack) changeLine(t *testing.T, statement string, arguments ...any) {
	t.Helper()
	changed, err := s.SQL(t).Exec(t.Context(), statement, arguments...)
	require.NoError(t, err)
	require.EqualValues(t, 1, changed.RowsAffected())
}
