package requestlog

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/openapi"
)

// An id begins with the time of its call, to the microsecond, and ids are in the order of the times.
func TestIDAt(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 23, 59, 59, 999_999_000, time.UTC)
	for _, random := range []uint64{0, 1, 1<<64 - 1} {
		id := IDAt(at, random)
		require.EqualValues(t, 7, id.Version())
		require.Equal(t, uuid.RFC4122, id.Variant())
		found, ok := TimeOf(id)
		require.True(t, ok)
		require.Equal(t, at, found)
		require.Positive(t, slices.Compare(idBytes(IDAt(at.Add(time.Microsecond), 0)), idBytes(id)))
	}
	_, ok := TimeOf(uuid.New())
	require.False(t, ok)
}

func idBytes(id uuid.UUID) []byte { return id[:] }

// Documented parameters are kept; values that may be anything are not.
func TestQueryOf(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                                   "",
		"limit=50&item_status=paid,shipping": "limit=50&item_status=paid,shipping",
		"updated_at_gte=2026-01-01T00:00:00%2B09:00":                           "updated_at_gte=2026-01-01T00:00:00+09:00",
		"order_no=O-20260301-1001&wait=5":                                      "order_no=O-20260301-1001&wait=5",
		"order_no=010-1234-5678":                                               "order_no=…",
		"cursor=eyJhIjoxfQ":                                                    "cursor=…",
		"after=beginning":                                                      "after=beginning",
		"after=" + strings.Repeat("x", 90):                                     "after=…",
		"receiver_name=Kim&phone=01012345678":                                  "…&…",
		"status=Kim%20Yuna":                                                    "status=…",
		"status=kim&type=kim-yuna&item_status=paid,kim&after=kim":              "status=…&type=…&item_status=…&after=…",
		"limit=01012345678&wait=kim&paid_at_gte=kim&paid_at_lte=010-1234-5678": "limit=…&wait=…&paid_at_gte=…&paid_at_lte=…",
		"after=2026-01-01T00:00:00.123456Z":                                    "after=2026-01-01T00:00:00.123456Z",
		"updated_at_lte=2026-01-01":                                            "updated_at_lte=2026-01-01",
		"paid_at_gte=1990-12-31T01012345678&paid_at_lte=2026-01-01T00:00":      "paid_at_gte=…&paid_at_lte=2026-01-01T00:00",
		"order_no=20260314-0001842":                                            "order_no=20260314-0001842",
		"limit=%zz":                                                            "…",
		"Kim":                                                                  "…",
		strings.Repeat("order_no=O-2026030112345&", 9):                         strings.Repeat("order_no=O-2026030112345&", 4) + "…",
		"key=vpk_live_9aZ&operation=ship_order&limit=9":                        "key=vpk_live_9aZ&operation=ship_order&limit=9",
		"error_code=CLAIM_NOT_FOUND&request_id=kim-yuna":                       "error_code=CLAIM_NOT_FOUND&request_id=…",
		"key=vpk_live_9aZk&operation=kim&error_code=Unavailable&record=kim":    "key=…&operation=…&error_code=…&record=…",
	} {
		require.Equal(t, want, queryOf(query), query)
	}
}

// Each query parameter of the contract, each of its states, and each member of error_data is either kept or knowingly left out.
func TestEntry_coversContract(t *testing.T) {
	t.Parallel()
	var document struct {
		Components struct {
			Parameters map[string]struct {
				In, Name string
				Schema   struct {
					Enum []string
					Ref  string `json:"$ref"`
				}
			}
			Schemas map[string]struct{ Enum []string }
		}
	}
	require.NoError(t, json.Unmarshal(openapi.JSON().Bytes(), &document))
	var described []string
	for _, parameter := range document.Components.Parameters {
		if parameter.In == "query" {
			require.Contains(t, parameters, parameter.Name)
			described = slices.Concat(described, parameter.Schema.Enum,
				document.Components.Schemas[strings.TrimPrefix(parameter.Schema.Ref, "#/components/schemas/")].Enum)
		}
	}
	slices.Sort(described)
	require.ElementsMatch(t, slices.Compact(described), states)
	const quotesRequest, known = "it quotes the request", "the entry has it anyway"
	leftOut := map[string]string{
		"request_id": known, "doc_url": known, "content_type": quotesRequest, "content_encoding": quotesRequest,
	}
	var members map[string]any
	text, err := json.Marshal(errorData{
		Errors: []fieldError{{}}, Items: []itemProblem{{}}, Status: "x", AvailableActions: []string{""}, Reason: "x", Code: "x",
		Field: "x", Allowed: []string{""}, RequiredScope: "x", Limit: "x", Max: 1, WindowSeconds: 1, RetryAfter: 1, AnsweredAt: "x",
		MaxBytes: 1,
	})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &members))
	schemas, err := openapi.Schemas()
	require.NoError(t, err)
	i := slices.IndexFunc(schemas, func(schema openapi.Schema) bool { return schema.Name == "ErrorData" })
	for _, property := range schemas[i].Properties {
		if leftOut[property.Name] == "" {
			require.Contains(t, members, property.Name)
		}
	}
}

// canary stands for what a person's data may be, wherever a client or a text puts it.
const canary = "Kim-Yuna"

// Whatever a refusal has in its texts and in names and values that a client chose, an entry has neither that nor its own copies
// of request id and page.
func TestRefusal_noPersonalData(t *testing.T) {
	t.Parallel()
	body := `{"meta":{"code":422,"message":"` + canary + `","error_code":"VALIDATION_ERROR","error_data":{
		"request_id":"` + canary + `","doc_url":"/docs/errors/X","content_type":"` + canary + `","content_encoding":"` + canary + `",
		"receiver_name":"` + canary + `",
		"errors":[{"field":"` + canary + `","code":"required","message":"` + canary + `"},
			{"field":"items[3].tracking_no","code":"too_long","message":"` + canary + `"},
			{"field":"query.` + canary + `","code":"unknown","message":"` + canary + `"},
			{"field":"kim","code":"duplicate","message":"` + canary + `"}],
		"items":[{"item_id":"` + canary + `","item_status":"paid","tracking_no":"` + canary + `","carrier_name":"x"},
			{"item_id":"0195a0b1-0000-7000-8000-000000000001","item_status":"paid"}],
		"field":"` + canary + `","max_bytes":5}},"data":null}`
	code, data := refusalOf(&web.Facts{Status: http.StatusUnprocessableEntity, Refusal: []byte(body)})
	require.Equal(t, "VALIDATION_ERROR", code)
	require.JSONEq(t, `{"errors":[{"field":"body","code":"required"},{"field":"items[3].tracking_no","code":"too_long"},
		{"field":"query","code":"unknown"},{"field":"body","code":"duplicate"}],
		"items":[{"item_id":"…","item_status":"paid"},
		{"item_id":"0195a0b1-0000-7000-8000-000000000001","item_status":"paid"}],"max_bytes":5}`, string(data))
}

// A refusal of the gateway itself has its code and data; an answer that broke off has none; a success has none.
func TestRefusal_ofTheGateway(t *testing.T) {
	t.Parallel()
	failure := apierr.ScopeForbidden.With(map[string]any{"required_scope": "orders:read"})
	code, data := refusalOf(&web.Facts{Status: http.StatusForbidden, Failure: failure})
	require.Equal(t, "SCOPE_FORBIDDEN", code)
	require.JSONEq(t, `{"required_scope":"orders:read"}`, string(data))
	code, data = refusalOf(&web.Facts{Status: http.StatusConflict, Refusal: []byte(`{"meta":{"error_co`)})
	require.Empty(t, code)
	require.Nil(t, data)
	code, data = refusalOf(&web.Facts{Status: http.StatusOK, Failure: failure})
	require.Empty(t, code)
	require.Nil(t, data)
}

// The record of a path is kept if it was found, or if it has the form of a number.
func TestRecord(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"O-20260301-0001": "O-20260301-0001", "0195a0b1-0000-7000-8000-000000000001": "0195a0b1-0000-7000-8000-000000000001",
		"20260314-0001842": "20260314-0001842", "20260301000001": "20260301000001", "2026030112345": "", "20261301000001": "",
		"19260301000001": "", "4111111111111111": "", "201231-1234567": "", "1001": "",
		"010-1234-5678": "", "Kim Yuna": "", "kim@example.com": "", canary: "",
		"C20260305-000088": "C20260305-000088", "20261123-51DPXX10QW": "20261123-51DPXX10QW", "tel-010-1234-5678": "",
		"TEL-010-1234-5678": "", "KIM-19901231-2": "", "KIM-20010203": "", "kim2001": "", "A1234567": "", "20260314": "",
		"M20010203": "", "20261301-000001": "", "0195A0B1-0000-7000-8000-00000000000G": "", "O-20260301-": "",
	} {
		require.Equal(t, want, (&answered{path: path}).record(), path)
	}
	found := answered{path: canary, facts: web.Facts{Numbers: telemetry.Number(telemetry.OrderNo, "1001")}}
	require.Equal(t, "1001", found.record())
}

// Days beyond the number go, then the oldest until the bytes are few enough; today stays.
func TestLimits_Excess(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	days := []Day{}
	for n := -4; n <= Ahead; n++ {
		days = append(days, Day{Begins: DayOf(now).AddDate(0, 0, n), Bytes: 10})
	}
	for name, test := range map[string]struct {
		limits     Limits
		old, large []Day
		over       int64
	}{
		"none":   {Limits{}, nil, nil, 0},
		"kept":   {Limits{Days: 4, Bytes: 70}, nil, nil, 0},
		"old":    {Limits{Days: 2, Bytes: 70}, days[:2], nil, 0},
		"bytes":  {Limits{Days: 4, Bytes: 55}, nil, days[:2], 0},
		"both":   {Limits{Days: 3, Bytes: 50}, days[:1], days[1:2], 0},
		"today":  {Limits{Days: 3, Bytes: 5}, days[:1], days[1:4], 25},
		"future": {Limits{Days: 3, Bytes: 29}, days[:1], days[1:4], 1},
	} {
		old, large, over := test.limits.Excess(days, now)
		require.Equal(t, test.old, old, name)
		require.Equal(t, test.large, large, name)
		require.Equal(t, test.over, over, name)
	}
	require.Empty(t, Missing(days, now))
	require.Len(t, Missing(days[:5], now), 2)
}

// Of User-Agent the products are kept, but no comments, in which persons are named, and no mail addresses.
func TestProducts(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"": "", "ERP/1.0": "ERP/1.0", "sellerapi-python/1.0 Python/3.13": "sellerapi-python/1.0 Python/3.13",
		"ERP/2.1 (kim@shop.example; 010-1234-5678) x/1": "ERP/2.1", "ERP kim@shop.example": "ERP", "홍길동 ERP/1\x00": "ERP/1",
		strings.Repeat("a", 100): strings.Repeat("a", 60),
	} {
		require.Equal(t, want, products(sent), sent)
	}
}
