package web_test

import (
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
)

// shipment is the body of a single shipment; an entry of a batch is the same
// with an order number.
type shipment struct {
	OrderNo   string   `json:"order_no,omitempty"`
	ItemIDs   []string `json:"item_ids"`
	Carrier   string   `json:"carrier_name"`
	Tracking  string   `json:"tracking_no"`
	Logistics *string  `json:"logistics_company"`
}

func readShipment(o *web.Object) shipment {
	return shipment{
		ItemIDs:   o.Strings("item_ids", web.List{Min: 1, Max: 3, Unique: true, Element: invalid.Text{NotEmpty: true}}),
		Carrier:   o.String("carrier_name", invalid.Text{Max: 5}),
		Tracking:  o.String("tracking_no", invalid.Text{Max: 10}),
		Logistics: o.OptionalString("logistics_company", invalid.Text{Max: 5}),
	}
}

func serveShipment(t *testing.T) *site {
	t.Helper()
	return serveOne(t, func(c *gin.Context) (any, error) {
		b := web.ReadBody(c)
		got := readShipment(b.Object)
		return got, b.Err()
	})
}

func serveBatch(t *testing.T) *site {
	t.Helper()
	return serveOne(t, func(c *gin.Context) (any, error) {
		b := web.ReadBody(c)
		objects := b.Objects("items", 1, 500)
		entries := make([]shipment, 0, len(objects))
		for _, o := range objects {
			entry := readShipment(o)
			entry.OrderNo = o.String("order_no", invalid.Text{})
			entries = append(entries, entry)
		}
		return entries, b.Err()
	})
}

const goodShipment = `{"item_ids":["a","b"],"carrier_name":"","tracking_no":"\u00001","logistics_company":null,"extra":{"x":[1,2]}}`

// A body is decoded into types, and an empty string is a value like any other.
func TestBody_readIntoTypes(t *testing.T) {
	t.Parallel()
	s := serveShipment(t)
	a := s.post("/thing", " \n"+goodShipment+"\t ", "Content-Type", "application/json")
	require.Equal(t, 200, a.Status, a.Body)
	require.JSONEq(t, `{"item_ids":["a","b"],"carrier_name":"","tracking_no":"\u00001","logistics_company":null}`, string(a.Data))
	a = s.post("/thing", `{"item_ids":["a"],"carrier_name":"한진택배","tracking_no":"1","logistics_company":""}`)
	require.JSONEq(t, `{"item_ids":["a"],"carrier_name":"한진택배","tracking_no":"1","logistics_company":""}`, string(a.Data),
		"an empty string is a value")
}

// A batch is decoded into its entries.
func TestBatch_readIntoEntries(t *testing.T) {
	t.Parallel()
	a := serveBatch(t).post("/thing", `{"items":[{"order_no":"1","item_ids":["a"],"carrier_name":"x","tracking_no":"y"},
		{"order_no":"2","item_ids":["a"],"carrier_name":"x","tracking_no":"z","logistics_company":"L"}]}`)
	require.Equal(t, 200, a.Status, a.Body)
	require.JSONEq(t, `[{"order_no":"1","item_ids":["a"],"carrier_name":"x","tracking_no":"y","logistics_company":null},
		{"order_no":"2","item_ids":["a"],"carrier_name":"x","tracking_no":"z","logistics_company":"L"}]`, string(a.Data))
}

// Each problem of a body is reported with its field and code.
func TestBody_eachProblemReported(t *testing.T) {
	t.Parallel()
	s := serveShipment(t)
	required := []string{"item_ids=required", "carrier_name=required", "tracking_no=required"}
	with := func(name, value string) string {
		fields := map[string]string{"item_ids": `["a"]`, "carrier_name": `"c"`, "tracking_no": `"t"`, "logistics_company": `null`}
		fields[name] = value
		members := make([]string, 0, len(fields))
		for name, value := range fields {
			members = append(members, `"`+name+`":`+value)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	for body, want := range map[string][]string{
		"":                                    required,
		" \r\n\t":                             required,
		"{}":                                  required,
		`{"unknown":1}`:                       required,
		"null":                                {"body=type"},
		"[]":                                  {"body=type"},
		`"text"`:                              {"body=type"},
		"12":                                  {"body=type"},
		"{":                                   {"body=syntax"},
		"{]":                                  {"body=syntax"},
		"{'a':1}":                             {"body=syntax"},
		`{"a":1,}`:                            {"body=syntax"},
		`{"a":01}`:                            {"body=syntax"},
		`{"a":NaN}`:                           {"body=syntax"},
		`{"a":1} // done`:                     {"body=syntax"},
		goodShipment + "{}":                   {"body=syntax"},
		goodShipment + "x":                    {"body=syntax"},
		goodShipment + "]":                    {"body=syntax"},
		"\xef\xbb\xbf" + goodShipment:         {"body=syntax"},
		`{"a":"\ud800"}`:                      {"body=syntax"},
		"{\"a\":\"\xff\"}":                    {"body=encoding"},
		"{\"\xc0\x80\":1}":                    {"body=encoding"},
		"<xml/>":                              {"body=syntax"},
		"a=1&b=2":                             {"body=syntax"},
		`{"a":1,"a":1}`:                       {"a=duplicate"},
		`{"a":1,"\u0061":1}`:                  {"a=duplicate"},
		`{"x":[{},{"y":{"z":1,"z":2}}]}`:      {"x[1].y.z=duplicate"},
		with("item_ids", `null`):              {"item_ids=null"},
		with("item_ids", `"a"`):               {"item_ids=type"},
		with("item_ids", `{}`):                {"item_ids=type"},
		with("item_ids", `[]`):                {"item_ids=too_few"},
		with("item_ids", `["a","b","c","d"]`): {"item_ids=too_many"},
		with("item_ids", `["a",1]`):           {"item_ids[1]=type"},
		with("item_ids", `[null,"b",["c"]]`):  {"item_ids[0]=null", "item_ids[2]=type"},
		with("item_ids", `["a","","c"]`):      {"item_ids[1]=empty"},
		with("item_ids", `["a","b","a"]`):     {"item_ids[2]=repeated"},
		with("item_ids", `["ab","AB"]`):       {"item_ids[1]=repeated"},
		with("carrier_name", `null`):          {"carrier_name=null"},
		with("carrier_name", `5`):             {"carrier_name=type"},
		with("carrier_name", `true`):          {"carrier_name=type"},
		with("carrier_name", `"123456"`):      {"carrier_name=too_long"},
		with("logistics_company", `5`):        {"logistics_company=type"},
		with("logistics_company", `["L"]`):    {"logistics_company=type"},
		with("logistics_company", `"123456"`): {"logistics_company=too_long"},
		with("Carrier_Name", `"c"`):           {"Carrier_Name=case"},
		with("LOGISTICS_COMPANY", `"L"`):      {"LOGISTICS_COMPANY=case"},
		`{"Item_Ids":[],"a":1}`:               append(required[:3:3], "Item_Ids=case"),
		strings.Repeat("[", 20000):            {"body=syntax"},
	} {
		require.Equal(t, want, codes(t, s.post("/thing", body)), body)
	}
}

// Problems of a batch name their entry, and their number is bounded.
func TestBatch_problemsNameEntry(t *testing.T) {
	t.Parallel()
	s := serveBatch(t)
	require.Equal(t, []string{
		"items[1]=type", "items[0].carrier_name=required", "items[2].tracking_no=null", "items[2].order_no=type",
		"items[0].Carrier_name=case",
	}, codes(t, s.post("/thing", `{"items":[
		{"order_no":"1","item_ids":["a"],"Carrier_name":"x","tracking_no":"y"},
		7,
		{"order_no":2,"item_ids":["a"],"carrier_name":"x","tracking_no":null}]}`)))
	require.Equal(t, []string{"items=too_few"}, codes(t, s.post("/thing", `{"items":[]}`)))
	require.Equal(t, []string{"items=required"}, codes(t, s.post("/thing", ``)))
	require.Equal(t, []string{"items=type"}, codes(t, s.post("/thing", `{"items":{"0":{}}}`)))
	require.Equal(t, []string{"items=too_many"}, codes(t, s.post("/thing", `{"items":[`+strings.Repeat("{},", 500)+"{}]}")))
	require.Len(t, codes(t, s.post("/thing", `{"items":[`+strings.Repeat("{},", 499)+"{}]}")), 100,
		"the size of the response is limited")
}

// A body may be labelled as JSON or not at all; every other media type is refused.
func TestBody_jsonOrUnlabelled(t *testing.T) {
	t.Parallel()
	s := serveShipment(t)
	for _, media := range []string{
		"", "application/json", "Application/JSON", "application/json; charset=utf-8", `application/json;charset="UTF-8"`,
		"application/json; v=1",
	} {
		require.Equal(t, 200, s.post("/thing", goodShipment, "Content-Type", media).Status, media)
	}
	for _, media := range []string{
		"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=euc-kr",
		"application/jsonp", "text/json", "application/problem+json", "json", ";", "application/json, text/plain",
	} {
		requireFailure(t, s.post("/thing", goodShipment, "Content-Type", media), 415, "")
	}
	requireFailure(t, s.post("/thing", goodShipment, "Content-Type", "application/json", "Content-Type", "text/plain"), 415, "")
	requireFailure(t, s.post("/thing", goodShipment, "Content-Encoding", "gzip"), 415, "")
	require.Equal(t, 200, s.post("/thing", goodShipment, "Content-Encoding", "identity").Status)
}

// A filter on a process call is a misunderstanding and is reported.
func TestBody_queryIsProblemToo(t *testing.T) {
	t.Parallel()
	a := serveShipment(t).post("/thing?order_no=1", `{"item_ids":["a"],"carrier_name":"x"}`)
	require.Equal(t, []string{"query.order_no=unknown", "tracking_no=required"}, codes(t, a))
}

// The media type and the size of a body are checked before any field.
func TestBody_mediaTypeAndSizeFirst(t *testing.T) {
	t.Parallel()
	s := serveShipment(t)
	requireFailure(t, s.post("/thing?x=1", "{", "Content-Type", "text/plain"), 415, "")
	requireFailure(t, s.post("/thing?x=1", strings.Repeat("{", 1<<20+1)), 413, "")
}

// An enumeration accepts exactly its values, and prose may have several lines.
func TestBody_enumAndProse(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) {
		b := web.ReadBody(c)
		result := b.Enum("result", []string{"pass", "fail"})
		memo := b.String("memo", invalid.Text{Max: 10, NotBlank: true, Prose: true})
		return result + ":" + memo, b.Err()
	})
	a := s.post("/thing", `{"result":"fail","memo":"a\tb\nc\r\nd"}`)
	require.JSONEq(t, `"fail:a\tb\nc\r\nd"`, string(a.Data))
	for body, want := range map[string][]string{
		`{"result":"Pass","memo":"x"}`:           {"result=not_allowed"},
		`{"result":"","memo":"x"}`:               {"result=not_allowed"},
		`{"result":null,"memo":"x"}`:             {"result=null"},
		`{"result":1,"memo":"x"}`:                {"result=type"},
		`{"memo":"x"}`:                           {"result=required"},
		`{"result":"pass","memo":""}`:            {"memo=empty"},
		`{"result":"pass","memo":" \n\t\u3164"}`: {"memo=empty"},
		`{"result":"pass","memo":"a\rb"}`:        {"memo=control"},
		`{"result":"pass","memo":"a\u0000"}`:     {"memo=control"},
		`{"result":"pass","memo":"a\u0085"}`:     {"memo=control"},
		`{"result":"pass","memo":"12345678901"}`: {"memo=too_long"},
	} {
		require.Equal(t, want, codes(t, s.post("/thing", body)), body)
	}
	require.Equal(t, []string{"pass", "fail"}, problems(t, s.post("/thing", `{"result":"x","memo":"x"}`))[0].Allowed)
}

// Err returns the same result when it is called twice.
func TestBody_errSameWhenAskedTwice(t *testing.T) {
	t.Parallel()
	s := serveOne(t, func(c *gin.Context) (any, error) {
		b := web.ReadBody(c)
		_ = b.String("name", invalid.Text{})
		_ = b.Err()
		return nil, b.Err()
	})
	require.Equal(t, []string{"name=required", "Name=case"}, codes(t, s.post("/thing", `{"Name":"x"}`)))
}

func FuzzBody_readOrRefused(f *testing.F) {
	f.Add([]byte(goodShipment))
	f.Add([]byte(`{"items":[{"item_ids":["a",1,null]},7]}`))
	f.Add([]byte("\xff{\"a\":\"\\ud800\"}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := &gin.Context{Request: requestWithBody(raw)}
		b := web.ReadBody(c)
		got := readShipment(b.Object)
		for _, o := range b.Objects("items", 0, 3) {
			readShipment(o)
		}
		if b.Err() != nil {
			return
		}
		require.True(t, len(got.ItemIDs) >= 1 && len(got.ItemIDs) <= 3)
		require.LessOrEqual(t, len([]rune(got.Tracking)), 30)
	})
}
