package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
)

// Clocks returns the clocks of sellers in microseconds since 1970, in the order of their ids, which have 16 bytes each; 0 for a
// seller of which nothing has changed yet. Code: VALIDATION_ERROR.
func Clocks(ctx context.Context, pool *Pool, ids [][]byte) ([]int64, error) {
	places := make(map[uuid.UUID]int, len(ids))
	sellers := make([]uuid.UUID, len(ids))
	for n, id := range ids {
		seller, err := uuid.FromBytes(id)
		if err != nil {
			return nil, apierr.ValidationError.Because(err)
		}
		sellers[n], places[seller] = seller, n
	}
	micros := make([]int64, len(ids))
	rows, _ := AllSellers(pool).Query(ctx, own.SQL("Clocks"), sellers)
	var seller uuid.UUID
	var last time.Time
	_, err := pgx.ForEachRow(rows, []any{&seller, &last}, func() error {
		micros[places[seller]] = last.UnixMicro()
		return nil
	})
	return micros, Classify(Wrap("read the clocks of sellers", err))
}
