package rest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

const checkPath = batchPath + "/check"

// A batch that is sent right after its check gets the same answer, byte for byte, whatever is in it; the check changes no row.
func TestCheckBatch_200AsBatch(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 0))
			s := setup(t)
			orders := s.placeRandom(r)
			content := randomBatch(r, orders, s.seller)
			before := s.everything()
			checked := s.post(checkPath, content)
			require.Equal(t, http.StatusOK, checked.status, checked.body)
			require.Equal(t, before, s.everything())
			require.Equal(t, s.post(batchPath, content).body, checked.body, content)
		})
	}
}

// placeRandom places orders of the seller and another one in every state, some lines of which are claimed or part of an exchange.
func (s *fixture) placeRandom(r *rand.Rand) []order.Placement {
	s.t.Helper()
	placed := make([]order.Placement, 30)
	for i := range placed {
		placed[i] = ordertest.Random(r, fmt.Sprintf("R-%d", i), []uuid.UUID{s.seller, uuid.New()})
	}
	s.place(placed...)
	s.exec("update lines set has_active_claim = true, claim_no = 'CL', auto_confirm_at = null " +
		"where item_status <> 'confirmed' and seq = 1 and order_id in (select order_id from orders where order_no like 'R-_')")
	for gate, like := range map[string]string{"open": "R-1%", "ended": "R-2_", "waiting": "R-2%"} {
		s.exec("update lines set is_exchange = true, exchange_gate = $1 where not is_exchange and seq = 2 and order_id in "+
			"(select order_id from orders where order_no like $2)", gate, like)
	}
	return placed
}

// randomBatch returns a batch that names lines several times, lines of others, unknown ones, and parcels of every kind.
func randomBatch(r *rand.Rand, placed []order.Placement, seller uuid.UUID) string {
	entries := make([]string, 0, 61)
	entries = append(entries, entry("UNKNOWN", itemIDs(1), goodParcel))
	for range 60 {
		placement := placed[r.IntN(len(placed))]
		var ids []string
		for _, part := range placement.Parts {
			for _, line := range part.Lines {
				if r.IntN(2) == 0 && (part.SellerID == seller || r.IntN(5) == 0) {
					ids = append(ids, fmt.Sprintf("%q", line.ID))
				}
			}
		}
		if len(ids) == 0 {
			ids = []string{`"` + uuid.NewString() + `"`}
		}
		parcels := []string{
			goodParcel, parcelOf("CJ대한통운", "612300000001") + `,"logistics_company":"가온물류"`, parcelOf("한진택배", "1"),
			parcelOf("DHL", "1"), parcelOf("로젠택배", " "),
		}
		entries = append(entries, entry(placement.No, `"item_ids":[`+strings.Join(ids, ",")+`]`, parcels[r.IntN(len(parcels))]))
	}
	return batchOf(entries...)
}

// everything returns the content of all tables that the service writes for a seller.
func (s *fixture) everything() string {
	s.t.Helper()
	var all strings.Builder
	tables := []string{"lines", "seller_orders", "shipments", "status_changes", "seller_clock", "inbox", "inbox_answers"}
	for _, table := range tables {
		var rows string
		require.NoError(s.t, s.db.Pool.QueryRow(s.t.Context(),
			"select coalesce(string_agg(t::text, '|' order by t::text), '') from "+table+" t").Scan(&rows))
		all.WriteString(table + ":" + rows + "\n")
	}
	return all.String()
}

// A malformed body is refused as that of the batch is, with the same fields.
func TestCheckBatch_422Form(t *testing.T) {
	t.Parallel()
	s := shelf(t, nil)
	for _, content := range []string{"{}", batchOf(), batchOf(entry("G-1", itemIDs(1, 1), goodParcel)), "[]"} {
		checked, refused := s.post(checkPath, content), s.post(batchPath, content)
		require.Equal(t, http.StatusUnprocessableEntity, checked.status)
		require.Equal(t, refused.fields(), checked.fields())
	}
}
