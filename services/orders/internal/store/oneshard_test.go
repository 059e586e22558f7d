//go:build citus

package store

import (
	"testing"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
)

// Every statement of a request runs on one node of a distributed database, except the statements of spreads.
func TestStatements_oneShard(t *testing.T) {
	t.Parallel()
	_, recorder := recorded(t)
	distributedtest.RequireOneShard(t, Migrations(), recorder, whole(), spreads)
}

// spreads are the statements that run on several nodes of a distributed database.
var spreads = func() map[string]distributedtest.Spread {
	all := map[string]distributedtest.Spread{"AddChanges": {Reason: "a mixed order is on the shards of its sellers", Sellers: 2}}
	for name, sellers := range map[string]int{
		"ReadParts": 1, "StatesOfItems": 1, "EndPayment": 1, "EndPaymentOfItems": 1, "ForgetContacts": 1,
		"StampOrder": 5, "StampPaidOrder": 3, "TouchOrder": 2,
		"PlaceOrders": 1, "PlaceSellerOrders": 1, "PlaceLines": 1, "PlaceShipments": 1, "PlaceChanges": 1, "ItemsOfOrders": 1,
	} {
		all[name] = distributedtest.Spread{Reason: "a mixed order is on the shards of its sellers", Sellers: sellers}
	}
	for _, name := range []string{"TakeNumbers", "PlaceItemIDs", "PlaceMembers", "FindTakenItems"} {
		all[name] = distributedtest.Spread{Reason: "a directory is by number, and a batch names many"}
	}
	for name, index := range map[string]string{
		"DueOrders": "lines_due", "CountOrders": "seller_orders_open", "AgeOfDeadlines": "lines_due",
	} {
		all[name] = distributedtest.Swept(index)
	}
	return all
}()
