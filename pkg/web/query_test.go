package web_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
)

var listNames = []string{
	"paid_at_gte", "paid_at_lte", "updated_at_gte", "updated_at_lte", "order_status", "order_no", "limit", "cursor",
}

type filters struct {
	PaidGte *timestamp.Time   `json:"paid_gte"`
	PaidLte *timestamp.Time   `json:"paid_lte"`
	Updated *timestamp.Time   `json:"updated"`
	Status  string            `json:"status"`
	OrderNo string            `json:"order_no"`
	Limit   int               `json:"limit"`
	Cursor  string            `json:"cursor"`
	Sent    map[string]string `json:"sent"`
}

func readFilters(q *web.Query) filters {
	gte, lte := q.Range("paid_at_gte", "paid_at_lte")
	return filters{
		PaidGte: (*timestamp.Time)(gte), PaidLte: (*timestamp.Time)(lte), Updated: (*timestamp.Time)(q.Time("updated_at_gte")),
		Status: q.Enum("order_status", []string{"paid", "preparing"}), OrderNo: q.String("order_no", 20),
		Limit: q.Limit(), Cursor: q.Cursor(), Sent: q.Sent(),
	}
}

func serveList(t *testing.T) *site {
	t.Helper()
	return serveOne(t, func(c *gin.Context) (any, error) {
		q := web.ParseQuery(c, listNames...)
		f := readFilters(q)
		return f, q.Err()
	})
}

// A query is parsed into types, and the filters that were sent have one canonical
// form.
func TestParseQuery_readIntoTypes(t *testing.T) {
	t.Parallel()
	s := serveList(t)
	a := s.get("/thing?paid_at_gte=2026-03-04T14:06:07%2B09:00&paid_at_lte=2026-03-04T05:06:07Z&&" +
		"order_status=paid&order_no=%EC%A3%BC+1&limit=7&cursor=abc")
	require.Equal(t, 200, a.Status, a.Body)
	require.JSONEq(t, `{"paid_gte":"2026-03-04T05:06:07.000000Z","paid_lte":"2026-03-04T05:06:07.000000Z","updated":null,
		"status":"paid","order_no":"주 1","limit":7,"cursor":"abc",
		"sent":{"paid_at_gte":"2026-03-04T05:06:07.000000Z","paid_at_lte":"2026-03-04T05:06:07.000000Z","order_status":"paid","order_no":"주 1"}}`,
		string(a.Data))
}

// Without a query every parameter has its default.
func TestParseQuery_absentIsEveryDefault(t *testing.T) {
	t.Parallel()
	a := serveList(t).get("/thing?")
	require.JSONEq(t, `{"paid_gte":null,"paid_lte":null,"updated":null,"status":"","order_no":"","limit":50,"cursor":"","sent":{}}`,
		string(a.Data))
}

// Each problem of a query is reported with its parameter and code.
func TestParseQuery_eachProblemReported(t *testing.T) {
	t.Parallel()
	s := serveList(t)
	for query, want := range map[string][]string{
		"limit=0":                               {"query.limit=range"},
		"limit=101":                             {"query.limit=range"},
		"limit=99999999999999999999":            {"query.limit=range"},
		"limit=-99999999999999999999":           {"query.limit=range"},
		"limit=000000000000000000000":           {"query.limit=range"},
		"limit=-1":                              {"query.limit=range"},
		"limit=-50":                             {"query.limit=range"},
		"limit=-":                               {"query.limit=type"},
		"limit=--1":                             {"query.limit=type"},
		"limit=1-":                              {"query.limit=type"},
		"limit=0x10":                            {"query.limit=type"},
		"limit=1_0":                             {"query.limit=type"},
		"limit=%205":                            {"query.limit=type"},
		"limit=+":                               {"query.limit=type"},
		"limit=%2B5":                            {"query.limit=type"},
		"limit=5.0":                             {"query.limit=type"},
		"limit=1e1":                             {"query.limit=type"},
		"limit=":                                {"query.limit=type"},
		"limit":                                 {"query.limit=type"},
		"limit=%EF%BC%95":                       {"query.limit=type"},
		"limit=5&limit=5":                       {"query.limit=repeated"},
		"limit=5&limit=6&limit=7":               {"query.limit=repeated"},
		"cursor=a&cursor=a":                     {"query.cursor=repeated"},
		"paid_at_gte=":                          {"query.paid_at_gte=malformed"},
		"paid_at_gte=2026-03-04":                {"query.paid_at_gte=malformed"},
		"paid_at_gte=2026-03-04T05:06:07+09:00": {"query.paid_at_gte=malformed"},
		"paid_at_gte=2026-03-04T05:06:08Z&paid_at_lte=2026-03-04T05:06:07Z": {"query.paid_at_gte=range"},
		"order_status=":                       {"query.order_status=not_allowed"},
		"order_status=PAID":                   {"query.order_status=not_allowed"},
		"order_status=paid,preparing":         {"query.order_status=not_allowed"},
		"order_status=%00":                    {"query.order_status=not_allowed"},
		"order_status=paid&order_status=":     {"query.order_status=repeated"},
		"order_no=":                           {"query.order_no=empty"},
		"order_no=%E3%85%A4":                  {"query.order_no=empty"},
		"order_no=" + strings.Repeat("x", 21): {"query.order_no=too_long"},
		"order_no=a%00b":                      {"query.order_no=control"},
		"order_no=%ff":                        {"query.order_no=encoding"},
		"order_no=%zz":                        {"query.order_no=malformed"},
		"order_no=%":                          {"query.order_no=malformed"},
		"%zz=1":                               {"query=malformed"},
		"limit=5;order_no=1":                  {"query=malformed"},
		"sort=asc":                            {"query.sort=unknown"},
		"sort=asc&sort=desc":                  {"query.sort=unknown"},
		"Limit=5":                             {"query.Limit=unknown"},
		"limit[]=5":                           {"query.limit[]=unknown"},
		"=5":                                  {"query.=unknown"},
		"%00%ff=5":                            {"query.??=unknown"},
	} {
		require.Equal(t, want, codes(t, s.get("/thing?"+query)), query)
	}
}

// All problems of a query are reported at once, with the allowed values.
func TestParseQuery_allProblemsAtOnce(t *testing.T) {
	t.Parallel()
	a := serveList(t).get("/thing?limt=5&paid_at_gte=yesterday&order_status=lost&limit=0&cursor=")
	require.Equal(t, []string{
		"query.limt=unknown", "query.paid_at_gte=malformed", "query.order_status=not_allowed", "query.limit=range",
	}, codes(t, a))
	list := problems(t, a)
	require.Equal(t, listNames, list[0].Allowed)
	require.Equal(t, []string{"paid", "preparing"}, list[2].Allowed)
}

// A plus sign that became a blank is named as the cause, with what to send instead.
func TestParseQuery_lostPlusExplained(t *testing.T) {
	t.Parallel()
	list := problems(t, serveList(t).get("/thing?updated_at_gte=2026-03-04T05:06:07+09:00"))
	require.Contains(t, list[0].Message, "send + as %2B or use Z")
}

// Ignoring a misspelt filter would silently return the wrong records.
func TestParseQuery_suggestsNearestName(t *testing.T) {
	t.Parallel()
	s := serveList(t)
	for sent, meant := range map[string]string{
		"update_at_gte": "updated_at_gte", "updated_at_get": "updated_at_gte", "paid_at_lt": "paid_at_lte",
		"order_stauts": "order_status",
		"LIMIT":        "limit", "corsor": "cursor", "ordr_no": "order_no",
	} {
		list := problems(t, s.get("/thing?"+sent+"=1"))
		require.Equal(t, "is not a parameter of this operation (did you mean "+meant+"?)", list[0].Message)
	}
	for _, far := range []string{"q", "page", "offset", "xxxxx", strings.Repeat("limit", 30)} {
		list := problems(t, s.get("/thing?"+far+"=1"))
		require.Equal(t, "is not a parameter of this operation", list[0].Message)
		require.LessOrEqual(t, len(list[0].Field), 80)
	}
}

// An operation without parameters refuses every one and says that it takes none.
func TestParseQuery_withoutParameters(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) { return nil, web.ParseQuery(c).Err() })
	list := problems(t, s.get("/thing?limit=5"))
	require.Equal(t, []problem{{
		Field: "query.limit", Code: "unknown",
		Message: "is not a parameter of this operation, which takes none",
	}}, list)
	require.Equal(t, 200, s.get("/thing?").Status)
}

// The recovery from a bad cursor is to start again, so the error must be the one
// for cursors.
func TestParseQuery_emptyCursorIsInvalid(t *testing.T) {
	t.Parallel()
	s := serveList(t)
	for _, query := range []string{"cursor=", "cursor", "cursor=&limit=5"} {
		a := s.get("/thing?" + query)
		requireFailure(t, a, 422, "INVALID_CURSOR")
		require.Equal(t, "malformed", a.Meta.ErrorData["reason"])
	}
}

// Only the issuer of a cursor can check its bytes.
func TestParseQuery_cursorNotValidated(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) {
		q := web.ParseQuery(c, "cursor")
		return []byte(q.Cursor()), q.Err()
	})
	require.Equal(t, 200, s.get("/thing?cursor="+url.QueryEscape("\xff\x00 +")).Status)
}

// A client may leave the filters out on later pages.
func TestParseQuery_filtersOfCursor(t *testing.T) {
	t.Parallel()
	carried := map[string]string{"paid_at_gte": "2026-03-04T05:06:07.000000Z", "order_status": "paid"}
	s := serveOne(t, func(c *gin.Context) (any, error) {
		q := web.ParseQuery(c, listNames...)
		f := readFilters(q)
		if err := q.Err(); err != nil {
			return nil, err
		}
		if f.Cursor == "broken" {
			carried := map[string]string{"order_status": "no longer a status"}
			q.Resume(carried)
		} else {
			q.Resume(carried)
		}
		again := readFilters(q)
		require.NotContains(t, again.Sent, "order_no")
		return again, q.Err()
	})
	a := s.get("/thing?cursor=abc&order_no=ignored")
	require.Equal(t, 200, a.Status, a.Body)
	require.Contains(t, string(a.Data), `"paid_gte":"2026-03-04T05:06:07.000000Z"`)
	require.Contains(t, string(a.Data), `"status":"paid"`)
	requireFailure(t, s.get("/thing?cursor=broken"), 422, "INVALID_CURSOR")
}

// A request with thousands of wrong parameters gets a response of bounded size.
func TestParseQuery_reportedProblemsBounded(t *testing.T) {
	t.Parallel()
	var query strings.Builder
	for i := range 500 {
		query.WriteString("&p" + strings.Repeat("x", i%50) + string(rune('a'+i/50)) + "=1")
	}
	require.Len(t, problems(t, serveList(t).get("/thing?"+query.String()[1:])), 100)
}

func FuzzQuery_readOrRefused(f *testing.F) {
	f.Add("limit=5&cursor=a")
	f.Add("paid_at_gte=2026-03-04T05:06:07+09:00;x&&=%zz&%00")
	f.Fuzz(func(t *testing.T, raw string) {
		c := &gin.Context{Request: requestWithQuery(raw)}
		q := web.ParseQuery(c, listNames...)
		got := readFilters(q)
		if q.Err() != nil {
			return
		}
		// Accepted queries are exactly those that the standard parser accepts.
		values, err := url.ParseQuery(raw)
		require.NoError(t, err)
		for name, sent := range values {
			require.Contains(t, listNames, name)
			require.Len(t, sent, 1)
		}
		require.Equal(t, got.Cursor, values.Get("cursor"))
		require.True(t, got.Limit >= 1 && got.Limit <= 100)
		require.True(t, got.Status == "" || slices.Contains([]string{"paid", "preparing"}, got.Status))
		if got.Updated != nil {
			require.Equal(t, time.UTC, time.Time(*got.Updated).Location())
		}
	})
}
