package web_test

import (
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
)

type optional struct {
	State  string     `json:"state"`
	Count  *int64     `json:"count"`
	Secret bool       `json:"secret"`
	At     *time.Time `json:"at"`
	IDs    []string   `json:"ids"`
	Name   *string    `json:"name"`
	Lines  int        `json:"lines"`
}

func serveOptional(t *testing.T) *site {
	t.Helper()
	return serveOne(t, func(c *gin.Context) (any, error) {
		b := web.ReadBody(c)
		got := optional{
			State: b.OptionalEnum("state", []string{"on", "off"}), Count: b.OptionalInteger("count", 1, 9),
			Secret: b.OptionalBool("secret"), At: b.OptionalTime("at"), IDs: b.OptionalStrings("ids", web.List{Min: 1, Max: 2}),
			Name: b.OptionalObject("contact").OptionalString("name", invalid.Text{Max: 3}), Lines: len(b.OptionalObjects("lines", 1, 2)),
		}
		return got, b.Err()
	})
}

// What is absent or null reads as nothing, and is no problem.
func TestOptional_absent(t *testing.T) {
	t.Parallel()
	s := serveOptional(t)
	const nothing = `{"state":"","count":null,"secret":false,"at":null,"ids":[],"name":null,"lines":0}`
	for _, body := range []string{
		`{}`, `{"state":null,"count":null,"secret":null,"at":null,"ids":null,"contact":null,"lines":null}`, `{"contact":{}}`,
	} {
		a := s.post("/thing", body)
		require.Equal(t, 200, a.Status, a.Body)
		require.JSONEq(t, nothing, string(a.Data))
	}
	a := s.post("/thing",
		`{"state":"on","count":3,"secret":true,"at":"2026-01-31T09:30Z","ids":["a"],"contact":{"name":"b"},"lines":[{}]}`)
	require.JSONEq(t, `{"state":"on","count":3,"secret":true,"at":"2026-01-31T09:30:00Z","ids":["a"],"name":"b","lines":1}`,
		string(a.Data))
}

// What is there and wrong is reported with its path.
func TestOptional_invalid(t *testing.T) {
	t.Parallel()
	s := serveOptional(t)
	for body, field := range map[string]string{
		`{"state":"high"}`: "state", `{"count":1.5}`: "count", `{"count":"1"}`: "count", `{"count":10}`: "count",
		`{"secret":1}`: "secret",
		`{"at":"now"}`: "at", `{"ids":[]}`: "ids", `{"contact":[]}`: "contact", `{"contact":{"name":"long"}}`: "contact.name",
		`{"lines":[1]}`: "lines[0]",
	} {
		a := s.post("/thing", body)
		require.Equal(t, 422, a.Status, body)
		require.Contains(t, a.Body, `"field":"`+field+`"`, body)
	}
}
