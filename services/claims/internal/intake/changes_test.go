package intake_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"sellerapi.dev/pkg/apierr"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/claims/internal/refund"
)

// Whatever happens between its pages, a reader has at rest what GetClaim returns of each claim: the record of the public
// interface, and its refunds with what the provider calls them.
func TestChanges_exactCopy(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	copied, after := map[string]*claimsv1.ChangedClaim{}, ""
	read := func(limit int32) bool {
		page, err := b.changes.ListChanges(t.Context(), &claimsv1.ListChangesRequest{
			SellerId: b.seller.String(), After: after, Limit: limit,
		})
		require.NoError(t, err)
		for _, c := range page.GetChanges() {
			copied[c.GetRecord().AsMap()["claim_no"].(string)] = c
		}
		after = page.GetAfter()
		return page.GetMore()
	}
	all, canceled := make([]string, 0, 6), []string{}
	for n := range 6 {
		sent := b.request("cancel", "paid")
		must(t, b.client.RequestClaim, sent)
		all = append(all, sent.GetClaimNo())
		read(2)
		if n%2 == 0 {
			require.Equal(t, "completed", b.act(t, sent.GetClaimNo(), "approve", nil))
			canceled = append(canceled, sent.GetClaimNo())
		}
		read(1)
	}
	returned := b.request("return", "delivered")
	must(t, b.client.RequestClaim, returned)
	b.act(t, returned.GetClaimNo(), "approve", nil)
	b.act(t, returned.GetClaimNo(), "pickup", parcel)
	for read(3) {
		continue
	}
	all = append(all, returned.GetClaimNo())
	require.Len(t, copied, len(all))
	for _, no := range all {
		got, err := b.changes.GetClaim(t.Context(), &claimsv1.GetClaimRequest{SellerId: b.seller.String(), ClaimNo: no})
		require.NoError(t, err)
		require.True(t, proto.Equal(got.GetChange(), copied[no]), no)
	}
	for _, no := range canceled {
		require.Len(t, copied[no].GetRefunds(), 1)
		paid := copied[no].GetRefunds()[0]
		require.Equal(t, []string{"refund", "succeeded"}, []string{paid.GetKind(), paid.GetStatus()})
		require.NotEmpty(t, paid.GetProviderReference())
		require.NotNil(t, paid.GetSucceededAt())
		require.InDelta(t, copied[no].GetRecord().AsMap()["refund_amount"], paid.GetAmount(), 0)
	}
	require.Empty(t, copied[returned.GetClaimNo()].GetRefunds())
	sellers, err := b.changes.ChangedSellers(t.Context(), &claimsv1.ChangedSellersRequest{})
	require.NoError(t, err)
	require.Len(t, sellers.GetSellers(), 1)
	require.Equal(t, copied[returned.GetClaimNo()].GetRecord().AsMap()["updated_at"], sellers.GetSellers()[0].GetClock())
}

// A claim that does not exist, or is another seller's, is not found.
func TestChanges_notFound(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	sent := b.request("cancel", "paid")
	must(t, b.client.RequestClaim, sent)
	for no, seller := range map[string]string{
		sent.GetClaimNo(): uuid.NewString(), "NONE": b.seller.String(), "": b.seller.String(),
	} {
		_, err := b.changes.GetClaim(t.Context(), &claimsv1.GetClaimRequest{SellerId: seller, ClaimNo: no})
		require.ErrorIs(t, err, apierr.ClaimNotFound, no)
	}
	_, err := b.changes.GetClaim(t.Context(), &claimsv1.GetClaimRequest{ClaimNo: sent.GetClaimNo()})
	require.ErrorIs(t, err, apierr.ValidationError)
}
