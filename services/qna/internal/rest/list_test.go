package rest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/qna/internal/inquiry"
)

func page(t *testing.T, got answer) (ids []uuid.UUID, next *string) {
	t.Helper()
	require.Equal(t, http.StatusOK, got.status, got.body)
	var data struct {
		List []struct {
			QnaID uuid.UUID `json:"qna_id"`
		} `json:"list"`
		NextCursor *string `json:"next_cursor"`
	}
	require.NoError(t, json.Unmarshal(got.data, &data))
	require.NotNil(t, data.List)
	for _, element := range data.List {
		ids = append(ids, element.QnaID)
	}
	require.Equal(t, strconv.Itoa(len(ids)), got.header.Get("X-Rows"), "the gateway settles the row budget with it")
	return ids, data.NextCursor
}

func TestList_everyField(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	answered, waiting := posted(seller), posted(seller)
	answered.QnaID, answered.ProductID = uuid.UUID{1}, uuid.UUID{2}
	waiting.QnaID, waiting.ProductID = uuid.UUID{3}, uuid.UUID{4}
	waiting.IsSecret, waiting.Category, waiting.ImageURLs = true, "new_category", nil
	b.postAll(t, answered, waiting)
	require.Equal(t, http.StatusOK, b.answerWith(t, seller, answered.QnaID, " 네,\r\n됩니다 <3 ").status)

	got := b.get(t, seller, "")
	list := b.inquiries(t, seller)
	requireGolden(t, "list", got.body,
		timestamp.Format(list[0].UpdatedAt), "TIME_OF_ANSWER", timestamp.Format(list[1].UpdatedAt), "TIME_OF_POST")
	_, next := page(t, got)
	require.Nil(t, next)
}

// An empty list is encoded as an empty list and not as null.
func TestList_emptyIsNotNull(t *testing.T) {
	t.Parallel()
	b := setup(t)
	requireGolden(t, "list_empty", b.get(t, uuid.New(), "status=waiting").body)
}

// Only the seller's own inquiries are listed, without any data of another seller.
func TestList_onlyOwnInquiries(t *testing.T) {
	t.Parallel()
	b, seller, stranger := setup(t), uuid.New(), uuid.New()
	mine := b.postOne(t, seller)
	secret := posted(stranger)
	secret.Body, secret.ProductName, secret.MemberDisplayName = "canary", "canary", "canary"
	b.postAll(t, secret)
	got := b.get(t, seller, "")
	ids, _ := page(t, got)
	require.Equal(t, []uuid.UUID{mine}, ids)
	require.NotContains(t, got.body, "canary")
}

// A page has fifty inquiries unless another number is requested.
func TestList_fiftyPerPageByDefault(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	batch := make([]inquiry.Posted, 0, 101)
	for range 101 {
		batch = append(batch, posted(seller))
	}
	b.postAll(t, batch...)
	for query, want := range map[string]int{"": 50, "limit=1": 1, "limit=100": 100} {
		ids, next := page(t, b.get(t, seller, query))
		require.Len(t, ids, want)
		require.NotNil(t, next)
	}
}

// walk follows the cursors; query is sent with each page as the specification asks.
func (b fixture) walk(t *testing.T, seller uuid.UUID, query string) []uuid.UUID {
	t.Helper()
	ids, next := page(t, b.get(t, seller, query))
	for next != nil {
		var more []uuid.UUID
		more, next = page(t, b.get(t, seller, query+"&cursor="+url.QueryEscape(*next)))
		ids = append(ids, more...)
	}
	return ids
}

func TestList_walkInOrderOfChange(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 3 {
		b.postAll(t, posted(seller), posted(seller), posted(seller), posted(seller), posted(seller))
	}
	all, next := page(t, b.get(t, seller, "limit=100"))
	require.Len(t, all, 15)
	require.Nil(t, next)
	for _, limit := range []string{"1", "3", "7", "15"} {
		require.Equal(t, all, b.walk(t, seller, "limit="+limit))
	}
}

// Filters are combined, and the cursor keeps them.
func TestList_filtersCombinedKeptByCursor(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for range 6 {
		id := b.postOne(t, seller)
		b.postOne(t, seller)
		require.Equal(t, http.StatusOK, b.answerWith(t, seller, id, "yes").status)
	}
	list := b.inquiries(t, seller)
	var want []uuid.UUID
	for _, i := range list[1:] {
		if i.Status == inquiry.Answered {
			want = append(want, i.QnaID)
		}
	}
	until := timestamp.Format(list[1].UpdatedAt)
	query := "status=answered&updated_at_lte=" + until + "&updated_at_gte=2026-01-01T00:00"
	require.Equal(t, want, b.walk(t, seller, query+"&limit=2"))

	first, next := page(t, b.get(t, seller, query+"&limit=2"))
	cursor := "cursor=" + url.QueryEscape(*next)
	rest, last := page(t, b.get(t, seller, cursor+"&limit=100"))
	require.Equal(t, want, append(first, rest...), "left-out filters are those of the cursor; the limit may change")
	require.Nil(t, last)
	inKorea := url.QueryEscape(list[1].UpdatedAt.In(time.FixedZone("", 9*3600)).Format(time.RFC3339Nano))
	same, _ := page(t, b.get(t, seller, cursor+"&limit=100&updated_at_lte="+inKorea))
	require.Equal(t, rest, same, "the same instant in another spelling is the same filter")

	for _, changed := range []string{"&status=waiting", "&updated_at_lte=2026-01-01T00:00", "&updated_at_gte=2026-01-02T00:00"} {
		got := b.get(t, seller, cursor+changed)
		require.Equal(t, "INVALID_CURSOR", got.code())
		require.Equal(t, "filters_changed", got.meta.ErrorData["reason"])
	}
}

func TestCursor_notIssuedForThisList(t *testing.T) {
	t.Parallel()
	b, seller, stranger := setup(t), uuid.New(), uuid.New()
	for range 2 {
		b.postOne(t, seller)
		b.postOne(t, stranger)
	}
	_, mine := page(t, b.get(t, seller, "limit=1"))
	_, theirs := page(t, b.get(t, stranger, "limit=1"))
	flipped := []byte(*mine)
	flipped[len(flipped)/2] ^= 1
	for name, cursor := range map[string]string{
		"empty": "", "nonsense": "abc", "changed": string(flipped), "cut": (*mine)[1:], "cursor of another seller": *theirs,
	} {
		got := b.get(t, seller, "cursor="+url.QueryEscape(cursor))
		require.Equal(t, http.StatusUnprocessableEntity, got.status, name)
		require.Equal(t, "INVALID_CURSOR", got.code(), name)
		require.Equal(t, "malformed", got.meta.ErrorData["reason"], name)
		require.Equal(t, "0", got.header.Get("X-Rows"), "an error costs no row")
	}
}

// A misspelt or malformed filter that was silently ignored would return wrong records.
func TestList_422NamesEveryParameter(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for query, fields := range map[string]string{
		"status=open":                              "query.status",
		"status=Waiting":                           "query.status",
		"status=":                                  "query.status",
		"status=waiting&status=waiting":            "query.status",
		"updated_at_gte=2026-05-01":                "query.updated_at_gte",
		"updated_at_gte=2026-05-01T00:00:00+09:00": "query.updated_at_gte",
		"updated_at_lte=yesterday":                 "query.updated_at_lte",
		"updated_at_gte=2026-05-02T00:00&updated_at_lte=2026-05-01T00:00": "query.updated_at_gte",
		"limit=0":                    "query.limit",
		"limit=101":                  "query.limit",
		"limit=ten":                  "query.limit",
		"updated_gte=2026-05-01":     "query.updated_gte",
		"qna_id=1":                   "query.qna_id",
		"status=%zz":                 "query.status",
		"status=open&limit=0&page=2": "query.page query.status query.limit",
	} {
		got := b.get(t, seller, query)
		require.Equal(t, http.StatusUnprocessableEntity, got.status, query)
		require.Equal(t, "VALIDATION_ERROR", got.code(), query)
		require.ElementsMatch(t, strings.Fields(fields), got.fields(t), query)
	}
}

// The error for a status lists the allowed ones.
func TestList_422ListsAllowedStatuses(t *testing.T) {
	t.Parallel()
	requireGolden(t, "list_wrong_status", setup(t).get(t, uuid.New(), "status=open").body)
}

// A request without the gateway's signature is unauthenticated.
func TestPrincipal_401Unsigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, target := range []string{"GET /open/v1/qna", "POST /open/v1/qna/" + uuid.NewString() + "/answer"} {
		method, path, _ := strings.Cut(target, " ")
		got := b.sendUnsigned(t, method, path)
		require.Equal(t, http.StatusUnauthorized, got)
	}
}
