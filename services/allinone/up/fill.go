package up

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/services/sandbox/market"
)

// otherSellers is how many sellers trade beside A and B, so that there are orders of several
// sellers and other sellers' data.
const otherSellers = 4

func (p parties) sellers(seed uint64, others int) ([]market.Seller, error) {
	made, err := market.Sellers(seed, others)
	if err != nil {
		return nil, err
	}
	ours := []market.Seller{{ID: p.A.ID, Name: p.A.Name, Share: 120}, {ID: p.B.ID, Name: p.B.Name, Share: 100}}
	return slices.Concat(ours, made), nil
}

// seed returns a seed that differs from those of other run directories that used the same database.
func (p parties) seed() uint64 {
	id := uuid.MustParse(p.A.ID)
	return binary.BigEndian.Uint64(id[:8]) ^ binary.BigEndian.Uint64(id[8:])
}

func (d *marketplace) firstFill(ctx context.Context, known parties, orders int, progress io.Writer) error {
	newest, err := d.newestOrder(ctx, known.A.Key)
	if err != nil || newest != "" || orders == 0 {
		return err
	}
	sellers, err := d.registered(ctx, known, known.seed(), otherSellers)
	if err != nil {
		return err
	}
	trade, err := market.New(market.Plan{
		Seed: known.seed(), Base: time.Now().Add(-time.Second).UTC().Truncate(time.Second), Orders: orders, Sellers: sellers,
	})
	if err != nil {
		return err
	}
	if _, err = trade.Fill(ctx, d.intake, market.FillOptions{Progress: progress}); err != nil {
		return err
	}
	if err := trade.FillClaims(ctx, market.Intakes{Orders: d.intake, Claims: d.claims},
		claimSellers*trade.ClaimStories()); err != nil {
		return err
	}
	return trade.Ask(ctx, d.qna, max(orders/inquiryEvery, 1))
}

// claimSellers is how many sellers get claims in every state: A and B.
const claimSellers = 2

const inquiryEvery = 5

func (d *marketplace) registered(ctx context.Context, known parties, seed uint64, others int) ([]market.Seller, error) {
	sellers, err := known.sellers(seed, others)
	if err != nil {
		return nil, err
	}
	for _, seller := range sellers {
		if err := d.register(ctx, seller.ID, seller.Name); err != nil {
			return nil, fmt.Errorf("seller %s: %w", seller.Name, err)
		}
	}
	return sellers, nil
}

func firstOrderNo(body io.Reader) (string, error) {
	var answer struct {
		Data struct {
			List []struct {
				OrderNo string `json:"order_no"`
			} `json:"list"`
		} `json:"data"`
	}
	if err := json.NewDecoder(body).Decode(&answer); err != nil {
		return "", fmt.Errorf("read a list: %w", err)
	}
	if len(answer.Data.List) == 0 {
		return "", nil
	}
	return answer.Data.List[0].OrderNo, nil
}
