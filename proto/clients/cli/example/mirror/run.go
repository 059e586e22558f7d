package mirror

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// Run runs the program with its arguments, without the program's name, and its environment, and writes its output to
// out. It fails if an item that was to be shipped is not, or the server doubts its number.
func Run(ctx context.Context, arguments []string, environment func(string) string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("mirror", flag.ContinueOnError)
	flags.SetOutput(out)
	path := flags.String("db", "orders.db", "SQLite file")
	once := flags.Bool("once", false, "stop when everything is done, instead of collecting what changes")
	list := flags.String("ship", "", "CSV file of items to ship: order_no,item_id,carrier,tracking_no")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	address, key := environment("SELLER_API_URL"), environment("SELLER_API_KEY")
	if address == "" || key == "" {
		return errors.New("set SELLER_API_URL and SELLER_API_KEY")
	}
	client, err := sellerapi.New(address, key, sellerapi.WithUserAgent("mirror/1.0"))
	if err != nil {
		return err
	}
	m, err := Open(ctx, *path, client)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()

	tell := func(round sellerapi.Round) { report(out, round) }
	if *list != "" {
		if err := m.collectAndShip(ctx, *list, out, tell); err != nil {
			return err
		}
	}
	if *once {
		round, err := m.Collect(ctx)
		tell(round)
		return err
	}
	return m.Follow(ctx, tell)
}

func (m *Mirror) collectAndShip(ctx context.Context, path string, out io.Writer, tell func(sellerapi.Round)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	rows, err := ReadRows(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	round, err := m.Collect(ctx)
	tell(round)
	if err != nil {
		return err
	}
	outcomes, err := m.Ship(ctx, rows)
	refused, doubtful := 0, 0
	for _, one := range outcomes {
		_, _ = fmt.Fprintf(out, "%s %s %s %s\n", one.What, one.OrderNo, one.ItemID, one.Why)
		switch {
		case one.What == "refused":
			refused++
		case one.What == "shipped" && one.Why != "":
			doubtful++
		}
	}
	if refused+doubtful > 0 {
		err = errors.Join(err, fmt.Errorf("%d items were refused, %d have a doubtful number", refused, doubtful))
	}
	return err
}

func report(out io.Writer, round sellerapi.Round) {
	if round.Err != nil {
		_, _ = fmt.Fprintf(out, "collecting failed after %d orders: %v\n", round.Records, round.Err)
		return
	}
	_, _ = fmt.Fprintf(out, "collected %d orders\n", round.Records)
}
