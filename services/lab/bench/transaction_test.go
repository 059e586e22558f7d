package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shipmentLog is the log of a shipment while another process works; % stands for what differs between two shipments.
const shipmentLog = `[1] trade/orders LOG:  statement: begin isolation level read committed; set local app.seller = 's-1'
[1] trade/orders LOG:  execute stmtcache_1: insert into inbox values ($1, $2)
[1] trade/orders DETAIL:  Parameters: $1 = 's-1', $2 = '-81%'
[2] trade/orders LOG:  statement: commit
[1] trade/orders LOG:  execute stmtcache_3: select order_id, item_id from orders where order_no = $1 for update;
[1] trade/orders DETAIL:  Parameters: $1 = '100%'
[2] trade/orders LOG:  statement: begin isolation level read committed
[1] trade/orders LOG:  execute stmtcache_4: update lines set parcel = $2, company = $3, gate = $5 where order_id = $1 and item_id = any($4)
[1] trade/orders DETAIL:  Parameters: $1 = 'o-%', $2 = 'p-%', $3 = NULL, $4 = '{i-%}', $5 = ''
[1] trade/orders LOG:  statement: commit`

func shipped(digit string) transaction {
	return transaction{
		order: shippable{no: "100" + digit, itemID: "i-" + digit}, orderID: "o-" + digit,
		statements: shipmentIn(readLog(strings.ReplaceAll(shipmentLog, "%", digit)), "100"+digit),
	}
}

// Every run of the script ships another order with another key: a second run on the same order would find its work already done.
func TestReplay_anotherOrderEachRun(t *testing.T) {
	t.Parallel()
	require.Equal(t, script{
		text: seat + nextOrder + `\startpipeline
begin isolation level read committed;
insert into inbox values (:seller, :no);
\endpipeline
select order_id, item_id from orders where order_no = :no for update \gset
\startpipeline
update lines set parcel = :s3_2, company = null, gate = '' where order_id = :order_id and item_id = any(array[:item_id]::uuid[]);
commit;
\endpipeline
`,
		defines: []string{"taken=0", "first=7", "each=3", "s3_2=p-7"},
	}, replay([2]transaction{shipped("7"), shipped("8")}, "s-1", 7, 3))
}

func TestShipmentIn_notLoggedAsAWhole(t *testing.T) {
	t.Parallel()
	for name, log := range map[string]string{
		"no beginning":  shipmentLog[strings.Index(shipmentLog, "\n")+1:],
		"no end":        strings.TrimSuffix(shipmentLog, "[1] trade/orders LOG:  statement: commit"),
		"another order": strings.ReplaceAll(shipmentLog, "100%", "2000"),
	} {
		require.Nil(t, shipmentIn(readLog(log), "100%"), name)
	}
}
