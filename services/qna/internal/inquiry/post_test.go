package inquiry_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/qna/internal/inquiry"
)

func posted() inquiry.Posted {
	return inquiry.Posted{
		QnaID: uuid.UUID{1}, SellerID: uuid.UUID{2}, ProductID: uuid.UUID{3}, ProductName: "product", Category: inquiry.CategoryEtc,
		Body: "body", MemberDisplayName: "member", ImageURLs: []string{"https://a.example/1", "https://a.example/2"}, CreatedAt: noon,
	}
}

// If the digest omitted a field, a changed inquiry would look like a repetition.
func TestDigest_everyField(t *testing.T) {
	t.Parallel()
	original, same := posted(), posted()
	require.Equal(t, original.Digest(), same.Digest())
	for name, change := range map[string]func(*inquiry.Posted){
		"qna_id":                func(p *inquiry.Posted) { p.QnaID[15]++ },
		"seller_id":             func(p *inquiry.Posted) { p.SellerID[15]++ },
		"product_id":            func(p *inquiry.Posted) { p.ProductID[15]++ },
		"product_name":          func(p *inquiry.Posted) { p.ProductName += "!" },
		"category":              func(p *inquiry.Posted) { p.Category = inquiry.CategoryProduct },
		"body":                  func(p *inquiry.Posted) { p.Body += "!" },
		"is_secret":             func(p *inquiry.Posted) { p.IsSecret = true },
		"member_display_name":   func(p *inquiry.Posted) { p.MemberDisplayName += "!" },
		"image_urls":            func(p *inquiry.Posted) { p.ImageURLs = p.ImageURLs[:1] },
		"order of image_urls":   func(p *inquiry.Posted) { p.ImageURLs = []string{p.ImageURLs[1], p.ImageURLs[0]} },
		"created_at":            func(p *inquiry.Posted) { p.CreatedAt = p.CreatedAt.Add(time.Microsecond) },
		"boundary of two texts": func(p *inquiry.Posted) { p.ProductName, p.Category = "productetc", "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := posted()
			change(&changed)
			require.NotEqual(t, original.Digest(), changed.Digest())
		})
	}
}

// The digest of an inquiry does not depend on the time zone of its time.
func TestDigest_anyTimeZone(t *testing.T) {
	t.Parallel()
	original, elsewhere := posted(), posted()
	elsewhere.CreatedAt = noon.In(time.FixedZone("", 9*3600))
	require.Equal(t, original.Digest(), elsewhere.Digest())
}

type digest = [sha256.Size]byte

// A batch is divided into new, repeated and conflicting inquiries, also with respect
// to itself.
func TestLedger_newRepeatedAndConflicting(t *testing.T) {
	t.Parallel()
	in, fresh := uuid.New(), uuid.New()
	ledger := inquiry.NewLedger(map[uuid.UUID]digest{in: {1}})
	require.Equal(t, inquiry.PostRepeated, ledger.Enter(in, digest{1}))
	require.Equal(t, inquiry.PostConflict, ledger.Enter(in, digest{2}))
	require.Equal(t, inquiry.PostNew, ledger.Enter(fresh, digest{3}))
	require.Equal(t, inquiry.PostRepeated, ledger.Enter(fresh, digest{3}), "repeated in one batch")
	require.Equal(t, inquiry.PostConflict, ledger.Enter(fresh, digest{4}), "conflicting inquiries in one batch")
	require.Equal(t, inquiry.PostNew, inquiry.NewLedger(nil).Enter(fresh, digest{}))
}
