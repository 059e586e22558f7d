package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

func clientSessions(t *testing.T) map[string]*clientSession {
	t.Helper()
	sessions := map[string]*clientSession{}
	for language, open := range callers {
		sessions[language] = &clientSession{session: openSession(t), open: open, reached: map[string]bool{}}
	}
	return sessions
}

type clientSession struct {
	*session
	open    func(t *testing.T, address, apiKey string) caller
	call    caller
	reached map[string]bool
}

func (c *clientSession) connect(t *testing.T, s *stacktest.Stack) {
	t.Helper()
	c.call = c.open(t, s.Witnessed(t), c.seller.Key)
}

// reads calls a read operation and checks that the client returns everything that the server sends.
func (c *clientSession) reads(t *testing.T, operation, id string, filter map[string]any) {
	t.Helper()
	made := clientCall{operation: operation, id: id}
	var query []string
	if id == "" {
		made.request = filter
		for _, name := range slices.Sorted(maps.Keys(filter)) {
			query = append(query, name, filter[name].(string))
		}
	}
	call := stacktest.Get("", operationNamed(operation).call("", id, "").Path, query...)
	c.requireAnswer(t, made, call)
}

// does calls a write operation and checks that the client returns everything that the server sends: the test
// requests the stored first response to the client's idempotency key.
func (c *clientSession) does(t *testing.T, operation, id string, request body) {
	t.Helper()
	made := clientCall{operation: operation, id: id, key: uuid.NewString()}
	call := operationNamed(operation).call("", id, "").Under(made.key)
	if request != nil {
		made.request = request
		text, err := json.Marshal(request)
		require.NoError(t, err)
		call.Body = text
	}
	c.requireAnswer(t, made, call)
}

func (c *clientSession) requireAnswer(t *testing.T, made clientCall, call stacktest.Call) {
	t.Helper()
	got := c.call(t, made)
	require.Empty(t, got.Code, made.operation)
	answer := c.client.Do(t, call)
	require.Equal(t, http.StatusOK, answer.Status, "%s: %s", made.operation, answer.Body)
	require.Equal(t, made.key != "", answer.Header.Get(replayedHeader) == "true", "the request was the same")
	require.Equal(t, timed(t, answer.Data), timed(t, got.Result), made.operation)
	c.reached[made.operation] = true
}

func (c *clientSession) refuses(t *testing.T, code string, made clientCall) {
	t.Helper()
	got := c.call(t, made)
	require.Equal(t, code, got.Code, "%s: %s", made.operation, got.Result)
	require.GreaterOrEqual(t, got.Status, 400)
}

// timed decodes JSON with its timestamps as times, because languages format them differently.
func timed(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	return withTimes(value)
}

func withTimes(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = withTimes(member)
		}
	case []any:
		for i, element := range value {
			value[i] = withTimes(element)
		}
	case string:
		if at, err := time.Parse(time.RFC3339, value); err == nil {
			return at.UnixMicro()
		}
	}
	return value
}

// A client loses or changes nothing of what the server sends, for every operation.
func TestClients_reachEveryOperation(t *testing.T) {
	t.Parallel()
	for language, c := range clientSessions(t) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			c.connect(t, c.Stack)
			c.worksOnOrders(t)
			c.worksOnClaims(t)
			c.worksOnInquiries(t)
			c.worksOnRequests(t)
			for _, o := range operations {
				require.True(t, c.reached[o.name], o.name)
			}
		})
	}
}

func (c *clientSession) worksOnOrders(t *testing.T) {
	t.Helper()
	number, ids := c.place(t, lines(2))
	other, otherIDs := c.place(t)
	c.reads(t, "list_orders", "", map[string]any{"order_no": number})
	c.does(t, "prepare_order", number, of(ids[0]))
	c.does(t, "ship_order", number, shipped(ids...))
	batch := body{"items": []body{entryOf(other, otherIDs...), entryOf("T0", "x")}}
	c.requireAnswer(t, clientCall{operation: "check_shipments", request: batch}, stacktest.PostJSON(t, "", checkPath, batch))
	c.does(t, "ship_orders", "", batch)
	c.refuses(t, "SHIPMENT_STATE_CONFLICT", clientCall{
		operation: "ship_order", id: number, request: shipped(ids...).with("tracking_no", "1"),
	})
	c.PermitCorrection(t, c.seller.ID, true)
	c.does(t, "correct_shipment", number, shipped(ids...).with("tracking_no", "612345678915"))
	c.does(t, "deliver_order", number, of(ids...))
	c.reads(t, "get_order", number, nil)
	c.reads(t, "get_order_history", number, nil)
	c.refuses(t, "ORDER_NOT_FOUND", clientCall{operation: "get_order", id: "T/+ %2F?#한"})
}

func (c *clientSession) worksOnClaims(t *testing.T) {
	t.Helper()
	claim := c.newClaim(t, stacktest.Exchange)
	for _, step := range claimSteps {
		c.client.AwaitClaim(t, claim.ClaimNo, step.from)
		c.does(t, operationOf(step.action), claim.ClaimNo, step.body)
	}
	c.client.AwaitClaim(t, claim.ClaimNo, "completed")
	c.reads(t, "get_claim", claim.ClaimNo, nil)
	c.reads(t, "get_claim_history", claim.ClaimNo, nil)
	c.refuses(t, "IDEMPOTENCY_UNRESOLVED", clientCall{operation: "reject_claim", id: claim.ClaimNo, request: rejection()})
	c.does(t, "reject_claim", c.newClaim(t, stacktest.Return).ClaimNo, rejection())
	c.reads(t, "list_claims", "", map[string]any{"type": stacktest.Exchange, "status": "completed"})
	c.refuses(t, "INVALID_CURSOR", clientCall{operation: "list_claims", request: map[string]any{"cursor": "x"}})
}

func (c *clientSession) worksOnInquiries(t *testing.T) {
	t.Helper()
	asked := stacktest.NewInquiry(c.seller.ID)
	c.Ask(t, asked, stacktest.NewInquiry(c.seller.ID))
	c.does(t, "answer_inquiry", asked.GetQnaId(), body{"content": "네,\n됩니다"})
	c.refuses(t, "QNA_ALREADY_ANSWERED", clientCall{
		operation: "answer_inquiry", id: asked.GetQnaId(), request: body{"content": "아니요"},
	})
	c.reads(t, "list_inquiries", "", map[string]any{"status": "answered"})
}

func (c *clientSession) worksOnRequests(t *testing.T) {
	t.Helper()
	filter := []string{"error_code", "QNA_ALREADY_ANSWERED", "operation", "answer_inquiry"}
	stacktest.Await(t, "the refused answer is in the request log", func() bool {
		return len(listed(t, c.Stack, c.seller.Key, filter...)) > 0
	})
	c.reads(t, "list_requests", "", map[string]any{"error_code": filter[1], "operation": filter[3]})
	c.refuses(t, "VALIDATION_ERROR", clientCall{operation: "list_requests", request: map[string]any{"operation": "x"}})
}

// An expired idempotency key has no stored response. What was done with it is found done and not repeated; what has
// been undone since is done again under a new key.
func TestClients_carryOnAfterExpiredKey(t *testing.T) {
	t.Parallel()
	for language, c := range clientSessions(t) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			c.connect(t, c.Stack)
			number, ids := c.place(t)
			claim := c.newClaim(t, stacktest.Return)
			prepare := clientCall{operation: "prepare_order", id: number, request: of(ids...), key: uuid.NewString()}
			approve := clientCall{operation: "approve_claim", id: claim.ClaimNo, key: uuid.NewString()}
			require.Empty(t, c.call(t, prepare).Code)
			require.Empty(t, c.call(t, approve).Code)
			approved := c.claimText(t, claim.ClaimNo)
			_, err := c.correct(t, number, ids[0], "paid", nil, act())
			require.NoError(t, err)
			expireAnswers(t, c.Stack, c.seller.ID)

			c.connect(t, c.Through(t, ownRedis(t)))
			c.refuses(t, "IDEMPOTENCY_RESULT_EXPIRED", prepare)
			c.refuses(t, "IDEMPOTENCY_RESULT_EXPIRED", approve)
			require.Equal(t, "paid", c.order(t, number).OrderStatus)
			prepare.recover, approve.recover = true, true
			require.Empty(t, c.call(t, prepare).Code)
			require.Equal(t, "preparing", c.order(t, number).OrderStatus)
			found := c.call(t, approve)
			require.JSONEq(t, approved, c.claimText(t, claim.ClaimNo), "nothing was done again")
			require.Equal(t, timed(t, []byte(approved)), timed(t, found.Result))
		})
	}
}

// The client honours Retry-After and succeeds; the calling program need not handle it.
func TestClients_waitAsLongAsTold(t *testing.T) {
	t.Parallel()
	for language, c := range clientSessions(t) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			c.connect(t, c.Through(t, func(config *gateway.Config) {
				config.Limits.Read, config.Limits.Process, config.Limits.Window = 1, 1, 2*time.Second
			}))
			number, ids := c.place(t)
			for _, made := range []clientCall{
				{operation: "prepare_order", id: number, request: of(ids...)},
				{operation: "ship_order", id: number, request: shipped(ids...)},
				{operation: "deliver_order", id: number, request: of(ids...)},
				{operation: "get_order", id: number},
				{operation: "get_order", id: number},
			} {
				require.Empty(t, c.call(t, made).Code, made.operation)
			}
			require.Equal(t, "delivered", c.order(t, number).OrderStatus)
		})
	}
}
