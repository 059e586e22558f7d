// Command mirror keeps a seller's orders in a SQLite file and ships the open ones that a CSV file lists.
//
//	export SELLER_API_URL=https://open-api.example.com SELLER_API_KEY=vpk_live_…
//	mirror -db orders.db                         collects what changes, until Ctrl-C
//	mirror -db orders.db -once                   collects once
//	mirror -db orders.db -once -ship today.csv   collects, ships, collects again
//
// The file has the columns order_no, item_id, carrier and tracking_no, in UTF-8. A tracking number has digits, blanks and
// hyphens; a cell that is not certainly one costs its row. Running the same file again is harmless.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"sellerapi.dev/proto/clients/cli/example/mirror"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := mirror.Run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "mirror:", err)
		os.Exit(1)
	}
}
