package web_test

import (
	"net/http"
	"testing"
	"unicode"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
)

// A developer who sent a wrong name or value finds the right one in the error.
func TestMeant_namesAndValues(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) {
		if c.Request.Method == http.MethodGet {
			q := web.ParseQuery(c, "order_status")
			q.Enum("order_status", []string{"paid", "partially_claimed"})
			return nil, q.Err()
		}
		body := web.ReadBody(c)
		body.Strings("item_ids", web.List{Min: 1, Max: 9})
		body.String("tracking_no", invalid.Text{Max: 9})
		body.Enum("result", []string{"pass", "fail"})
		return nil, body.Err()
	})
	const rest = `"item_ids":["a"],"tracking_no":"1","result":"pass"`
	for sent, want := range map[string]string{
		`{"itemIds":["a"],"tracking_no":"1","result":"pass"}`: "item_ids is missing (itemIds was sent; the name is item_ids)",
		`{"items":["a"],"tracking_no":"1","result":"pass"}`:   "item_ids is missing (items was sent; the name is item_ids)",
		`{"item_ids":["a"],"trackingNumber":"1","result":"pass"}`: "tracking_no is missing (trackingNumber was sent; the name is " +
			"tracking_no)",
		`{"item_ids":["a"],"송장번호":"1","result":"pass"}`:           "tracking_no is missing (송장번호 was sent; the name is tracking_no)",
		`{"item_ids":["a"],"tracking_no":"1","result":"PASS"}`:    "result is not one of the allowed values (did you mean pass?)",
		`{"item_ids":["a"],"tracking_no":"1","result":"passs"}`:   "result is not one of the allowed values (did you mean pass?)",
		`{"item_ids":["a"],"tracking_no":"1","result":"discard"}`: "result is not one of the allowed values: pass, fail",
		`{"tracking_no":"1","result":"x"}`:                        "item_ids is missing; 1 more problem",
		`{"result":"x"}`:                                          "item_ids is missing; 2 more problems",
		`{` + rest + `,"Result":"pass"}`:                          "Result must be spelt result",
	} {
		a := s.post("/thing", sent)
		requireFailure(t, a, 422, "VALIDATION_ERROR")
		require.Equal(t, want, a.Meta.Message, sent)
	}
	for sent, want := range map[string]string{
		"order_status=PAID":              "query.order_status is not one of the allowed values (did you mean paid?)",
		"order_status=PARTIALLY-CLAIMED": "query.order_status is not one of the allowed values (did you mean partially_claimed?)",
		"orderStatus=paid":               "query.orderStatus is not a parameter of this operation (did you mean order_status?)",
	} {
		require.Equal(t, want, s.get("/thing?"+sent).Meta.Message)
	}
}

// The error for a path that is nearly right names the right one; for any other there is no hint.
func TestMeant_paths(t *testing.T) {
	t.Parallel()
	s := serve(t, func(*gin.Engine) {})
	for path, meant := range map[string]string{
		"/open/v1/claims/C-1/collect_done": "POST /open/v1/claims/C-1/collect-done",
		"/open/v1/claims/C-1/collectDone":  "POST /open/v1/claims/C-1/collect-done",
		"/open/v1/orders/O-1/shipments":    "POST /open/v1/orders/O-1/shipment",
		"/open/v1/orders/":                 "GET /open/v1/orders",
		"/open/v1/order":                   "GET /open/v1/orders",
		"/v1/orders":                       "GET /open/v1/orders",
		"/orders":                          "GET /open/v1/orders",
		"/open/v1/Orders/O-1":              "GET /open/v1/orders/O-1",
		"/open/v1":                         "",
		"/":                                "",
		"/open/v1/products":                "",
		"/metrics":                         "",
	} {
		a := s.get(path)
		requireFailure(t, a, 404, "")
		want := "There is nothing at this path."
		if meant != "" {
			want += " Did you mean " + meant + "?"
		}
		require.Equal(t, want, a.Meta.Message, path)
	}
}

// Every message about a problem is available in Korean.
func TestProblems_everyMessageInKorean(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) {
		q := web.ParseQuery(c, "at", "state", "text", "limit")
		q.Time("at")
		q.Enum("state", []string{"paid"})
		q.String("text", 3)
		q.Limit()
		if err := q.Err(); c.Request.Method == http.MethodGet {
			return nil, err
		}
		body := web.ReadBody(c)
		body.Strings("ids", web.List{Min: 1, Max: 2, Unique: true, Element: invalid.Text{NotEmpty: true}})
		body.String("text", invalid.Text{Max: 3, NotBlank: true, Prose: true})
		body.Objects("items", 1, 1)
		return nil, body.Err()
	})
	korean := func(a answer) {
		require.Equal(t, 422, a.Status)
		fields, _ := a.Meta.ErrorData["errors"].([]any)
		require.NotEmpty(t, fields)
		for _, field := range fields {
			problem, _ := field.(map[string]any)
			text, _ := problem["message"].(string)
			require.True(t, hasHangul(text), "%v", problem)
		}
		require.True(t, hasHangul(a.Meta.Message), a.Meta.Message)
	}
	for _, query := range []string{
		"at=x", "at=2026-01-01", "at=2026-01-01+00:00:00", "at=2026-13-01T00:00:00Z", "at=2026-01-01T25:00:00Z",
		"at=2026-01-01T00:00:60Z",
		"at=2026-01-01T00:00:00.Z", "at=1900-01-01T00:00:00Z", "at=2026-01-01T00:00:00+09:00", "at=2026-01-01T00:00:00x",
		"state=x", "state=PAID", "text=", "text=1234", "text=%00", "text=%ff", "limit=x", "limit=0", "x=1", "stat=paid",
		"limit=1&limit=2", "a;b", "%zz=1", "text=%zz",
	} {
		korean(s.get("/thing?"+query, "Accept-Language", "ko"))
	}
	for _, body := range []string{
		``, `{`, `[]`, `x`, `{} {}`, `{"ids":1,"ids":2}`, `{"ids":[],"text":"","items":[]}`,
		`{"ids":["a","a","b"],"text":"12345","items":[1,2]}`,
		`{"ids":["a","a"],"text":"\u0000","items":[1]}`, `{"ids":null,"text":1,"items":{}}`,
		`{"Ids":["a"],"texts":"a","items":[{}]}`, "\"\xff\"",
	} {
		korean(s.do("POST", "/thing", body, "Accept-Language", "ko"))
	}
}

func hasHangul(text string) bool {
	for _, r := range text {
		if unicode.Is(unicode.Hangul, r) {
			return true
		}
	}
	return false
}

// The page about a failure is named after its code, or after its status if it has none.
func TestFailure_namesItsPage(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		page := (&apierr.Error{Code: row.Code}).Public(apierr.Korean)["doc_url"]
		require.Regexp(t, `^/docs/errors/([A-Z][A-Z_]+|[45]\d\d)$`, page)
	}
}
