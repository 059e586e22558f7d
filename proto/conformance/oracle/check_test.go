package oracle_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/conformance/oracle"
)

// Every case is a mistake that a server could make, and must be reported.
func TestWrongAnswersAreRefused(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	for name, one := range map[string]struct {
		start func(testing.TB) *sample
		spoil func(*sample)
		says  string
	}{
		"a member is missing": {
			orders, func(s *sample) { delete(s.at("data.list.0"), "currency") },
			`/data/list/0/currency: property "currency" is missing`,
		},
		"null where it may not be": {orders, func(s *sample) { s.at("data.list.0")["currency"] = nil }, "/data/list/0/currency"},
		"a number as text": {
			orders, func(s *sample) { s.at("data.list.0")["seller_paid_amount"] = "70820" },
			"/data/list/0/seller_paid_amount",
		},
		"a broken number": {
			orders, func(s *sample) { s.at("data.list.0")["seller_paid_amount"] = 0.5 },
			"/data/list/0/seller_paid_amount",
		},
		"an absent member as null": {orders, func(s *sample) { s.at("data.list.0")["address2"] = nil }, "/data/list/0/address2"},
		"null left out": {
			orders, func(s *sample) { delete(s.at("data.list.0.items.0"), "delivered_at") },
			"/data/list/0/items/0/delivered_at",
		},
		"an id that is no UUID": {
			orders, func(s *sample) { s.at("data.list.0.items.0")["item_id"] = "17" },
			"/data/list/0/items/0/item_id",
		},
		"a time without fraction": {
			orders, func(s *sample) { s.at("data.list.0")["paid_at"] = "2026-03-14T01:58:31Z" },
			"/data/list/0/paid_at",
		},
		"a time with an offset": {
			orders, func(s *sample) { s.at("data.list.0")["paid_at"] = "2026-03-14T01:58:31.000000+09:00" },
			"/data/list/0/paid_at",
		},
		"a month that is none": {
			orders, func(s *sample) { s.at("data.list.0")["paid_at"] = "2026-13-14T01:58:31.000000Z" },
			"/data/list/0/paid_at",
		},
		"a wrong optional time": {
			orders, func(s *sample) { s.at("data.list.0.items.0")["shipped_at"] = "yesterday" },
			"/data/list/0/items/0/shipped_at",
		},
		"an order without items": {orders, func(s *sample) { s.at("data.list.0")["items"] = []any{} }, "/data/list/0/items"},
		"a list that is null":    {orders, func(s *sample) { s.at("data")["list"] = nil }, "/data/list"},
		"an empty cursor":        {orders, func(s *sample) { s.at("data")["next_cursor"] = "" }, "/data/next_cursor"},
		"no cursor at all":       {orders, func(s *sample) { delete(s.at("data"), "next_cursor") }, "/data/next_cursor"},
		"a member nobody named": {
			orders, func(s *sample) { s.at("data.list.0")["member_id"] = "m-1" },
			`/data/list/0: property "member_id" is unsupported`,
		},
		"an unknown state": {
			orders, func(s *sample) { s.at("data.list.0")["order_status"] = "pending" },
			"/data/list/0/order_status",
		},
		"a third member":          {orders, func(s *sample) { s.body["took"] = 3 }, `"took" is unsupported`},
		"an error in a success":   {orders, func(s *sample) { s.at("meta")["error_code"] = "OOPS" }, "/meta/error_code"},
		"meta.code is not status": {orders, func(s *sample) { s.at("meta")["code"] = 201 }, "meta.code is 201 and the status 200"},
		"no meta":                 {orders, func(s *sample) { delete(s.body, "meta") }, `"meta" is missing`},
		"a status of its own":     {orders, func(s *sample) { s.status = http.StatusTeapot }, "the status is not documented"},
		"a status of other calls": {orders, func(s *sample) { s.status = http.StatusConflict }, "the status is not documented"},
		"no request id":           {orders, func(s *sample) { s.header.Del("X-Request-Id") }, "header X-Request-Id is missing"},
		"may be cached":           {orders, func(s *sample) { s.header.Set("Cache-Control", "max-age=60") }, "header Cache-Control"},
		"no word about the limit": {
			orders, func(s *sample) { s.header.Del("X-RateLimit-Remaining") },
			"header X-RateLimit-Remaining is missing",
		},
		"a limit that is none": {
			orders, func(s *sample) { s.header.Set("X-RateLimit-Limit", "many") },
			"header X-RateLimit-Limit",
		},
		"a negative rest": {
			orders, func(s *sample) { s.header.Set("X-RateLimit-Remaining", "-1") },
			"header X-RateLimit-Remaining",
		},
		"a header twice": {
			orders, func(s *sample) { s.header.Add("X-Request-Id", "id-2") },
			"header X-Request-Id is there 2 times",
		},
		"a wait nobody promised": {
			orders, func(s *sample) { s.header.Set("Retry-After", "3") },
			"header Retry-After is not documented here",
		},
		"a header nobody named": {orders, func(s *sample) { s.header.Set("X-Rows", "3") }, "header X-Rows is not documented here"},
		"a cookie": {
			conflict, func(s *sample) { s.header.Set("Set-Cookie", "a=b") },
			"header Set-Cookie is not documented here",
		},
		"rows of a process call": {
			conflict, func(s *sample) { s.header.Set("X-RateLimit-Rows-Limit", "3000") },
			"header X-Ratelimit-Rows-Limit is not documented here",
		},
		"a part of the limits":     {orders, func(s *sample) { s.header.Del("X-RateLimit-Reset") }, "there are 2"},
		"a key's limit without it": {limited, withoutLimits, "the limit rows comes without its headers"},
		"an address with a limit": {
			limited, func(s *sample) { s.at("meta.error_data")["limit"] = "address" },
			"the limit of an address comes with headers of a key",
		},
		"a read that is a replay": {
			orders, func(s *sample) { s.header.Set("Idempotent-Replayed", "true") },
			"header Idempotent-Replayed is not documented here",
		},
		"another media type": {
			orders, func(s *sample) { s.header.Set("Content-Type", "text/plain") },
			`content type "text/plain"`,
		},
		"no media type": {orders, func(s *sample) { s.header.Del("Content-Type") }, `content type ""`},
		"another charset": {orders, func(s *sample) {
			s.header.Set("Content-Type",
				"application/json; charset=euc-kr")
		}, "charset"},
		"no body":        {orders, func(s *sample) { s.raw = []byte{} }, "not strict JSON"},
		"two bodies":     {orders, func(s *sample) { s.raw = []byte(`{}{}`) }, "not strict JSON"},
		"a member twice": {orders, func(s *sample) { s.raw = []byte(`{"data":null,"data":null}`) }, "not strict JSON"},
		"broken UTF-8":   {orders, func(s *sample) { s.raw = []byte("{\"data\":\"\xff\"}") }, "not strict JSON"},
		"a code of another status": {
			conflict, func(s *sample) { s.at("meta")["error_code"] = "ORDER_NOT_FOUND" },
			"error_code ORDER_NOT_FOUND is not one of this response",
		},
		"a code of another call": {
			conflict, func(s *sample) { s.at("meta")["error_code"] = "ORDER_ITEM_NOT_PREPARABLE" },
			"is not one of this response",
		},
		"a failure without its code": {
			conflict, func(s *sample) { s.at("meta")["error_code"] = nil },
			"error_code <nil> is not one of this response",
		},
		"a failure with data":     {conflict, func(s *sample) { s.body["data"] = map[string]any{} }, "/data"},
		"a failure without words": {conflict, func(s *sample) { s.at("meta")["message"] = "" }, "/meta/message"},
		"no error_data":           {conflict, func(s *sample) { s.at("meta")["error_data"] = nil }, "/meta/error_data"},
		"another request's id": {
			conflict, func(s *sample) { s.at("meta.error_data")["request_id"] = "id-9" },
			"error_data.request_id is id-9",
		},
		"no request id inside":   {conflict, func(s *sample) { delete(s.at("meta.error_data"), "request_id") }, "request_id"},
		"too much in error_data": {conflict, func(s *sample) { s.at("meta.error_data")["sql"] = "select" }, `"sql" is unsupported`},
		"too much about an item": {
			conflict, func(s *sample) { s.at("meta.error_data.items.0")["seller_id"] = "x" },
			`"seller_id" is unsupported`,
		},
		"a replay that is not true": {
			conflict, func(s *sample) { s.header.Set("Idempotent-Replayed", "yes") },
			"header Idempotent-Replayed",
		},
	} {
		answer := one.start(t)
		_, err := answer.check(t, checker)
		require.NoError(t, err, name)
		one.spoil(answer)
		_, err = answer.check(t, checker)
		var violation *oracle.ViolationError
		require.ErrorAs(t, err, &violation, name)
		require.Contains(t, err.Error(), one.says, name)
	}
}

func withoutLimits(s *sample) {
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		s.header.Del(name)
	}
}

// The 429 of an address has no headers of a key, and failures before a key was counted have none; all others have them.
func TestCheck_limitHeadersOfTheKey(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	address := limited(t)
	address.at("meta.error_data")["limit"] = "address"
	withoutLimits(address)
	_, err := address.check(t, checker)
	require.NoError(t, err)
	for example, one := range map[string]struct {
		status        int
		with, without bool
	}{
		"API_KEY_REQUIRED": {http.StatusUnauthorized, false, true},
		"SCOPE_FORBIDDEN":  {http.StatusForbidden, true, false},
		"ORDER_NOT_FOUND":  {http.StatusNotFound, true, false},
		"INTERNAL_ERROR":   {http.StatusInternalServerError, true, true},
		"BAD_GATEWAY":      {http.StatusBadGateway, true, true},
	} {
		answer := good(t, http.MethodGet, "/open/v1/orders/A-1", one.status, example)
		_, err := answer.check(t, checker)
		require.Equal(t, one.with, err == nil, "%s with: %v", example, err)
		withoutLimits(answer)
		_, err = answer.check(t, checker)
		require.Equal(t, one.without, err == nil, "%s without: %v", example, err)
	}
}

// Every problem of a response is reported, with the operation and the status.
func TestCheck_everyProblemTold(t *testing.T) {
	t.Parallel()
	answer := orders(t)
	answer.header.Del("X-Request-Id")
	answer.at("data.list.0")["currency"] = 1
	delete(answer.at("data.list.0.items.0"), "item_id")
	_, err := answer.check(t, fresh(t))
	var violation *oracle.ViolationError
	require.ErrorAs(t, err, &violation)
	require.Len(t, violation.Problems, 3)
	require.Equal(t, oracle.Finding{Operation: "list_orders", Status: 200}, violation.Finding)
}

func TestCheck_openObjectNullOrWhole(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	for _, one := range []struct {
		answer any
		ok     bool
	}{
		{nil, true},
		{map[string]any{"content": "네", "answered_at": "2026-03-13T00:31:55.127403Z"}, true},
		{map[string]any{"content": "네"}, false},
		{map[string]any{"content": "네", "answered_at": "2026-03-13T00:31:55.127403Z", "by": "kim"}, false},
		{"네", false},
	} {
		page := good(t, http.MethodGet, "/open/v1/qna", http.StatusOK, "inquiry_page")
		page.at("data.list.0")["answer"] = one.answer
		_, err := page.check(t, checker)
		require.Equal(t, one.ok, err == nil, "%v: %v", one.answer, err)
	}
}

// A client that follows the rules keeps working when the API grows, and a tolerant oracle must not complain either.
func TestCheck_tolerantOfAdditions(t *testing.T) {
	t.Parallel()
	answer := orders(t)
	answer.at("data.list.0")["member_grade"] = "gold"
	answer.at("data.list.0")["order_status"] = "on_hold"
	answer.header.Set("Retry-After", "1")
	_, err := answer.check(t, fresh(t))
	require.Error(t, err)
	_, err = answer.check(t, fresh(t, oracle.Tolerant()))
	require.NoError(t, err)
	delete(answer.at("data.list.0"), "order_no")
	_, err = answer.check(t, fresh(t, oracle.Tolerant()))
	require.Error(t, err)
}

func TestCheck_behindGateway(t *testing.T) {
	t.Parallel()
	answer := orders(t)
	withoutLimits(answer)
	_, err := answer.check(t, fresh(t))
	require.Error(t, err)
	inside := fresh(t, oracle.BehindGateway())
	_, err = answer.check(t, inside)
	require.NoError(t, err)
	answer.header.Set("X-RateLimit-Limit", "none")
	_, err = answer.check(t, inside)
	require.Error(t, err)
}

// Responses to paths and methods without an operation are checked too.
func TestCheck_answersWithoutOperation(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	lost := good(t, http.MethodGet, "/open/v1/order", http.StatusNotFound, "PATH_NOT_FOUND")
	withoutLimits(lost)
	finding, err := lost.check(t, checker)
	require.NoError(t, err)
	require.Equal(t, oracle.Finding{Status: 404}, finding)

	wrong := good(t, http.MethodDelete, "/open/v1/orders/A-1", http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	withoutLimits(wrong)
	_, err = wrong.check(t, checker)
	require.ErrorContains(t, err, "header Allow is missing")
	wrong.header.Set("Allow", "GET")
	_, err = wrong.check(t, checker)
	require.NoError(t, err)

	lost.target = "/open/v1/orders"
	lost.method = http.MethodPut
	_, err = lost.check(t, checker)
	require.ErrorContains(t, err, "the status is not documented", "a known path is not a 404")

	head := good(t, http.MethodHead, "/open/v1/orders", http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	withoutLimits(head)
	head.header.Set("Allow", "GET")
	_, err = head.check(t, checker)
	require.ErrorContains(t, err, "there is a body where none may be")
	head.raw = []byte{}
	_, err = head.check(t, checker)
	require.NoError(t, err)
}

// The contract describes the responses that serve the document itself.
func TestCheck_documentItself(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	for target, contentType := range map[string]string{
		"/open/v1/openapi.json": "application/json", "/open/v1/openapi.yaml": "application/yaml",
	} {
		answer := &sample{method: http.MethodGet, target: target, status: 200, header: http.Header{}, raw: []byte("{}")}
		answer.header.Set("Content-Type", contentType)
		_, err := answer.check(t, checker)
		require.ErrorContains(t, err, "header ETag is missing")
		for name, value := range map[string]string{"ETag": `"1"`, "Cache-Control": "public, no-cache", "X-Request-Id": "id-1"} {
			answer.header.Set(name, value)
		}
		_, err = answer.check(t, checker)
		require.NoError(t, err)
		answer.status = http.StatusNotModified
		_, err = answer.check(t, checker)
		require.ErrorContains(t, err, "there is a body")
		answer.raw = nil
		_, err = answer.check(t, checker)
		require.NoError(t, err)
	}
}

// Operations are matched by the escaped path.
func TestCheck_operationByEscapedPath(t *testing.T) {
	t.Parallel()
	checker := fresh(t)
	for target, want := range map[string]string{
		"/open/v1/orders/batch":               "get_order",
		"/open/v1/orders/A%2F1":               "get_order",
		"/open/v1/orders/%EC%A3%BC%EB%AC%B8":  "get_order",
		"/open/v1/orders/A-1?x=/shipment":     "get_order",
		"/open/v1/claims/a%2Fapprove":         "get_claim",
		"/open/v1/claims/C-1/approve":         "",
		"/open/v1/orders/":                    "",
		"/open/v1/orders/A-1/shipment/x":      "",
		"/open/v1/Orders":                     "",
		"/open/v1/orders/batch/shipment/":     "",
		"/open/v1//orders":                    "",
		"/open/v1/orders/A-1/%73hipment":      "",
		"/open/v1/qna/":                       "",
		"/open/v1/qna":                        "list_inquiries",
		"/open/v1/openapi.json":               "get_openapi_json",
		"/open/v1/orders/batch/shipment?a=%2": "",
	} {
		answer := &sample{method: http.MethodGet, target: target, status: http.StatusTeapot, header: http.Header{}}
		finding, _ := answer.check(t, checker)
		require.Equal(t, want, finding.Operation, target)
	}
	batch := &sample{method: http.MethodPost, target: "/open/v1/orders/batch/shipment", status: 418, header: http.Header{}}
	finding, _ := batch.check(t, checker)
	require.Equal(t, "ship_orders", finding.Operation, "the literal path comes before the parameter")
}

// Integers that a float64 cannot represent are still integers.
func TestCheck_largeNumbersAreIntegers(t *testing.T) {
	t.Parallel()
	answer := orders(t)
	answer.at("data.list.0")["seller_paid_amount"] = json.Number("9007199254740993")
	_, err := answer.check(t, fresh(t))
	require.NoError(t, err)
}

// Checking does not modify a response.
func TestCheck_leavesAnswerUnchanged(t *testing.T) {
	t.Parallel()
	answer := orders(t)
	before := answer.header.Clone()
	answer.raw, _ = json.Marshal(answer.body)
	text := bytes.Clone(answer.raw)
	_, err := answer.check(t, fresh(t))
	require.NoError(t, err)
	require.Equal(t, text, answer.raw)
	require.Equal(t, before, answer.header)
}
