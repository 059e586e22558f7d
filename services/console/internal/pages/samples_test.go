package pages_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/console/internal/pages"
)

const (
	seller  = "0195a2d0-7b1e-7f5a-9d1c-3c1f0a6e8b21"
	keyText = "vpk_test_EXAMPLExEXAMPLExEXAMPLExEXAMPLE"
	secret  = "whsec_EXAMPLExEXAMPLExEXAMPLExEXAMPLE=="
)

var now = time.Date(2026, 11, 28, 9, 41, 12, 0, time.UTC)

func ago(d time.Duration) time.Time { return now.Add(-d) }

func frame(lang apierr.Lang, path string) pages.Frame {
	return pages.Frame{
		Language: lang, Person: pages.Person{Name: "김지원", Role: pages.Representative}, Path: path,
		Sellers: []pages.Seller{{ID: seller, Name: "하늘상점"}, {ID: "0195a2d0-9c44-7a10-8e55-b2d3c4e5f601"}},
		Seller:  pages.Seller{ID: seller, Name: "하늘상점"}, Docs: "https://seller-api.example",
	}
}

const day = 24 * time.Hour

func keys() []pages.Key {
	return []pages.Key{
		{
			ID: "0195a2d1-0001-7000-8000-000000000001", Prefix: "vpk_test_a7Q", Purpose: "ERP 주문 수집", State: pages.KeyActive,
			Scopes: []string{"orders:read", "claims:read", "qna:read"}, IssuedAt: ago(40 * day), ExpiresAt: ago(-325 * day),
			LastUsedAt: ago(3 * time.Minute), Calls: 1284, UseRead: true,
		},
		{
			ID: "0195a2d1-0001-7000-8000-000000000002", Prefix: "vpk_test_k2M", Purpose: "Warehouse shipping", State: pages.KeyActive,
			Scopes: []string{"orders:read", "orders:write"}, IssuedAt: ago(2 * day), UseRead: true,
		},
		{
			ID: "0195a2d1-0001-7000-8000-000000000003", Prefix: "vpk_test_Zp9", Purpose: "이전 연동", State: pages.KeyRevoked,
			Scopes:   []string{"orders:read", "orders:write", "claims:read", "claims:write", "qna:read", "qna:write"},
			IssuedAt: ago(400 * day), RevokedAt: ago(5 * day), LastUsedAt: ago(6 * day), UseRead: true,
		},
	}
}

func calls() []pages.Call {
	base := pages.Call{
		KeyID: keys()[0].ID, KeyPrefix: keys()[0].Prefix, Client: "203.0.113.24", UserAgent: "ERP/4.2 okhttp/4.12",
		RequestID: "0195a2d7-5c04-7e1b-9a60-f3c8b2d71e95", Status: 200, Rows: 1, Took: 23 * time.Millisecond,
		TraceID: "4bf92f3577b34da6a3ce929d0e0e4736",
	}
	list := make([]pages.Call, 0, 6)
	for i, change := range []func(*pages.Call){
		func(c *pages.Call) { c.Operation, c.Rows, c.Query = operation.ListOrders, 50, "status=paid&limit=50" },
		func(c *pages.Call) {
			c.Operation, c.Record, c.Status, c.ErrorCode = operation.ShipOrder, "20260314-0001842", 409, "ORDER_ITEM_HAS_ACTIVE_CLAIM"
			c.ErrorData = `{"doc_url": "/docs/errors/ORDER_ITEM_HAS_ACTIVE_CLAIM", "items": [{"item_id": "0195923e-8c11-7b3a-9f02-51d3c0a7e4b1",` +
				` "item_status": "paid"}]}`
			c.Idempotency, c.IdempotencyDigest, c.Rows = pages.IdempotencyFirst, "9f86d081884c7d65", 0
		},
		func(c *pages.Call) {
			c.Operation, c.Status, c.ErrorCode, c.Rows, c.Took = operation.ListClaims, 429, "RATE_LIMITED", 0, 900*time.Microsecond
			c.ErrorData = `{"limit": "read", "max": 60, "window_seconds": 60, "retry_after": 17}`
		},
		func(c *pages.Call) {
			c.Operation, c.Record, c.Idempotency = operation.PrepareOrder, "20260314-0001842", pages.IdempotencyReplayed
		},
		func(c *pages.Call) {
			c.Operation, c.Record, c.Status, c.Took, c.Rows = operation.GetClaim, "C20260320-000071", 503, 10*time.Second, 0
		},
		func(c *pages.Call) { c.Operation, c.Record = operation.GetOrder, "20260314-0001842" },
	} {
		one := base
		one.ID, one.At = "0195a2d7-0000-7000-8000-00000000000"+string(rune('1'+i)), ago(time.Duration(i)*7*time.Hour)
		change(&one)
		list = append(list, one)
	}
	return list
}

func webhooks() []pages.Webhook {
	return []pages.Webhook{
		{
			ID: "0195a2d2-0001-7000-8000-000000000001", URL: "https://erp.example.com/hooks/seller-api", State: pages.WebhookActive,
			CreatedAt: ago(30 * day),
		},
		{
			ID: "0195a2d2-0001-7000-8000-000000000002", URL: "https://old.example.com/hooks", State: pages.WebhookFailed,
			CreatedAt: ago(90 * day), PausedAt: ago(day), FailingSince: ago(2 * day), OldSecretUntil: ago(-3 * time.Hour),
		},
	}
}

func usage() pages.Usage {
	view := pages.Usage{
		Window: pages.LastDay, Keys: keys(),
		Limits: pages.Limits{Window: time.Minute, Keys: []pages.KeyLimits{
			{
				Prefix: keys()[0].Prefix, Reads: pages.Limit{Used: 60, Max: 60}, Rows: pages.Limit{Used: 2500, Max: 3000},
				Processes: pages.Limit{Used: 3, Max: 30},
			},
			{Prefix: keys()[1].Prefix, Reads: pages.Limit{Max: 60}, Rows: pages.Limit{Max: 3000}, Processes: pages.Limit{Max: 30}},
		}},
		Operations: []pages.UsageOperation{
			{
				Operation: operation.ListOrders, Succeeded: 9120, Refused: 31, Failed: 2, Rows: 182400,
				P50: 18 * time.Millisecond, P95: 61 * time.Millisecond,
			},
			{Operation: operation.ShipOrder, Succeeded: 412, Refused: 19, P50: 32 * time.Millisecond, P95: 118 * time.Millisecond},
			{Operation: operation.GetClaim, Succeeded: 96, Failed: 1, Rows: 96, P50: 9 * time.Millisecond, P95: 1300 * time.Millisecond},
		},
		Refusals: []pages.UsageRefusal{
			{Status: 429, Code: "RATE_LIMITED", Calls: 31},
			{Status: 409, Code: "ORDER_ITEM_HAS_ACTIVE_CLAIM", Calls: 19},
			{Status: 503, Calls: 3},
		},
	}
	for i := range 24 {
		n := int64(200 + 190*((i*7)%5))
		view.Steps = append(view.Steps, pages.UsageStep{
			At:        now.Truncate(time.Hour).Add(time.Duration(i-23) * time.Hour),
			Succeeded: n, Refused: n / 20, Failed: int64(i % 3), Rows: 19 * n,
		})
	}
	return view
}

// sample is a page in one state.
type sample struct {
	name string
	view pages.Page
	// change makes another frame than that of a representative.
	change func(*pages.Frame)
}

func nobody(f *pages.Frame) { f.Person, f.Sellers, f.Seller = pages.Person{}, nil, pages.Seller{} }

func unchosen(f *pages.Frame) { f.Seller = pages.Seller{} }

func support(f *pages.Frame) {
	f.Person, f.Sellers = pages.Person{Name: "Support", Role: pages.Support}, nil
}

// samples has every page in every state that looks different.
func samples() []sample {
	list, hooks := keys(), webhooks()
	fresh := list[1]
	used := fresh
	used.LastUsedAt = ago(2 * time.Minute)
	rested := list[0]
	rested.LastUsedAt = ago(2 * time.Hour)
	delivered := pages.Delivery{
		ID: "msg_0195a2d9000170008000000000000001", Type: "lists.moved", At: ago(time.Minute), Status: 204, Took: 81 * time.Millisecond,
	}
	lost := pages.Delivery{
		ID: "msg_0195a2d9000170008000000000000002", Type: "lists.moved", At: ago(2 * day),
		Failure: "connection refused", Took: time.Second,
	}
	refused := pages.Delivery{
		ID: "msg_0195a2d9000170008000000000000003", Type: "webhook.test", At: ago(3 * day), Status: 500, Took: 3 * time.Second,
	}
	sheet := pages.GoLive{
		From: ago(14 * day), Until: now, Calls: 9680, Limited: 31, Keys: list, Webhooks: hooks[:1],
		Operations: []pages.GoLiveOperation{
			{Operation: operation.ListOrders, Succeeded: 9120, Calls: 9151},
			{Operation: operation.ShipOrder, Succeeded: 412, Calls: 431},
			{Operation: operation.RejectClaim, Calls: 2},
		},
	}
	return []sample{
		{"sign-in", pages.SignIn{Start: "/sign-in/start?next=%2Fkeys"}, nobody},
		{"sign-in-ended", pages.SignIn{
			Start: "/sign-in/start", Why: pages.SignInEnded, SignOut: "https://accounts.example.com/logout?client_id=console",
		}, nobody},
		{"sign-in-fresh", pages.SignIn{Start: "/sign-in/start", Why: pages.SignInFresh}, nobody},
		{"sellers", pages.Sellers{Next: "/keys"}, unchosen},
		{"sellers-support", pages.Sellers{Next: "/requests"}, func(f *pages.Frame) { support(f); unchosen(f) }},
		{"keys", pages.Keys{Keys: list, Logged: true}, func(f *pages.Frame) {
			f.Notice = &pages.Notice{Word: pages.DoneRevoked, Values: []any{"vpk_test_Zp9"}}
		}},
		{"keys-support", pages.Keys{Keys: list}, support},
		{"keys-unread", pages.Keys{Keys: list, Unread: true, Older: 12}, nil},
		{"keys-empty", pages.Keys{Logged: true}, nil},
		{"keys-empty-developer", pages.Keys{Logged: true}, func(f *pages.Frame) {
			f.Person.Role, f.Sellers = pages.Developer, []pages.Seller{f.Seller}
		}},
		{"key-form", pages.KeyForm{Once: "0195a2d3-1111-7000-8000-000000000001"}, nil},
		{"key-form-wrong", pages.KeyForm{
			Once: "0195a2d3-1111-7000-8000-000000000001", Expiry: pages.ExpiryDay, Day: "2020-01-01",
			Scopes: []string{"orders:read"}, Rotates: &list[0],
			Problems: map[string]pages.Problem{
				"":                 {Word: pages.KeyLimit, Detail: "5 active keys"},
				pages.FieldPurpose: {Word: pages.PurposeMissing},
				pages.FieldScope:   {Word: pages.ScopeMissing},
				pages.FieldExpiry:  {Word: pages.DayInvalid},
			},
		}, nil},
		{"key-issued", pages.KeyText{Key: fresh, Text: keyText, Issued: true, Rotates: list[0].ID}, nil},
		{"key-shown", pages.KeyText{Key: fresh, Text: keyText}, nil},
		{"revoke", pages.Revoke{Key: list[0]}, nil},
		{"revoke-wrong", pages.Revoke{Key: fresh, Reason: "left", Problem: pages.Problem{Word: pages.PrefixMismatch}}, nil},
		{"rotation", pages.Rotation{Old: list[0], Candidates: list[1:2], Now: now}, nil},
		{"rotation-new", pages.Rotation{Old: list[0], New: &fresh, Now: now}, nil},
		{"rotation-used", pages.Rotation{Old: list[0], New: &used, Now: now}, nil},
		{"rotation-rested", pages.Rotation{Old: rested, New: &used, Now: now}, nil},
		{"rotation-over", pages.Rotation{Old: list[2], New: &used, Now: now}, nil},
		{"requests", pages.Requests{Calls: calls(), Keys: list, Older: "eyJhIjoxfQ"}, nil},
		{"requests-filtered", pages.Requests{
			Calls: calls()[1:3], Keys: list,
			Filter: pages.Filter{Operation: operation.ShipOrder, Code: "ORDER_ITEM_HAS_ACTIVE_CLAIM", After: "x"},
		}, nil},
		{"requests-none", pages.Requests{Filter: pages.Filter{Record: "1"}}, nil},
		{"requests-empty", pages.Requests{}, nil},
		{"request", pages.Request{
			Call: calls()[1], Around: append(calls()[3:4:4], calls()[1], calls()[5]),
			Record: &pages.Record{
				Facts: []pages.Fact{{Name: "order_status", Value: "paid"}, {Name: "updated_at", Value: "2026-11-28T18:41:12.000000+09:00"}},
				Items: []pages.RecordColumn{
					{Name: "item_id", Values: []string{"0195923e-8c11-7b3a-9f02-51d3c0a7e4b1", "0195923e-8c11-7b3a-9f02-51d3c0a7e4b2"}},
					{Name: "item_status", Values: []string{"paid", "shipping"}},
					{Name: "product_name", Values: []string{"면 티셔츠", "Cotton trousers"}},
					{Name: "tracking_no", Values: []string{"", "612345678904"}},
				},
			},
		}, nil},
		{"request-limited", pages.Request{Call: calls()[2]}, support},
		{"request-failed", pages.Request{
			Call: calls()[4], Around: calls()[4:5], Record: &pages.Record{Missing: pages.RecordAway},
		}, nil},
		{"request-replayed", pages.Request{Call: calls()[3], Record: &pages.Record{Missing: pages.RecordUnknown}}, nil},
		{"request-fine", pages.Request{Call: calls()[0]}, nil},
		{"request-later-code", pages.Request{Call: pages.Call{Operation: "later", Status: 409, ErrorCode: "LATER", At: now}}, nil},
		{"unlogged", pages.Unlogged{}, nil},
		{"too-much", pages.TooMuch{Narrow: "/requests"}, nil},
		{"usage", usage(), nil},
		{"usage-empty", pages.Usage{Window: pages.LastHour}, nil},
		{"usage-away", pages.Usage{Window: pages.LastHour, Limits: pages.Limits{Away: true}}, nil},
		{"webhooks", pages.Webhooks{Webhooks: hooks, Once: "0195a2d3-1111-7000-8000-000000000002"}, nil},
		{"webhooks-wrong", pages.Webhooks{
			URL: "http://x", Problem: pages.Problem{Word: pages.URLInvalid, Detail: "url: not https"},
		}, nil},
		{"webhooks-support", pages.Webhooks{}, support},
		{"webhook-secret", pages.WebhookSecret{Webhook: hooks[1], Secret: secret, Rotated: true}, nil},
		{"webhook-secret-first", pages.WebhookSecret{Webhook: hooks[0], Secret: secret}, nil},
		{"deliveries", pages.Deliveries{
			Webhook: hooks[0], Deliveries: []pages.Delivery{delivered, lost, refused}, Tested: &delivered, Older: refused.ID,
		}, nil},
		{"deliveries-stopped", pages.Deliveries{
			Webhook: hooks[1], Deliveries: []pages.Delivery{lost}, Tested: &lost, Before: lost.ID,
		}, nil},
		{"deliveries-none", pages.Deliveries{Webhook: hooks[1], Tested: &refused}, nil},
		{"webhook-remove", pages.WebhookRemove{Webhook: hooks[0]}, nil},
		{"go-live", sheet, nil},
		{"go-live-empty", pages.GoLive{From: ago(14 * day), Until: now}, nil},
		{"failed", pages.Failed{Part: pages.PartGateway, RequestID: "0195a2d7-5c04-7e1b-9a60-f3c8b2d71e95", Retry: "/keys"}, nil},
		{"no-right", pages.NoRight{Need: pages.Representative}, support},
		{"not-found", pages.NotFound{}, nil},
	}
}

var languages = []apierr.Lang{apierr.English, apierr.Korean}

func (s sample) render(t *testing.T, lang apierr.Lang) string {
	t.Helper()
	f := frame(lang, "/keys?a=1&b=2")
	if s.change != nil {
		s.change(&f)
	}
	var text bytes.Buffer
	require.NoError(t, pages.Render(&text, f, s.view), s.name)
	return text.String()
}
