package service

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/sweep"
)

// SizeCommand prints the size and the growth of the service's schema. It needs only the database and changes nothing.
type SizeCommand struct {
	Postgres postgres.Config `embed:""`

	Capacity size.Bytes    `help:"Capacity of the database, such as 500GiB; with it, the command prints when the database will be full."`
	Window   time.Duration `default:"24h" help:"Period up to now over which growth is measured."`
	JSON     bool          `name:"json" help:"Print JSON, in bytes."`

	schema Schema
}

// Validate implements kong's check of a command.
func (c *SizeCommand) Validate() error {
	if c.Window <= 0 {
		return errors.New("--window: must be positive")
	}
	return nil
}

// Run prints the report.
func (c *SizeCommand) Run(ctx context.Context, out io.Writer) error {
	return c.schema.WithPool(ctx, c.Postgres, func(pool *postgres.Pool) error {
		options := size.Options{Window: c.Window, Capacity: int64(c.Capacity)}
		report, err := size.Measure(ctx, pool, c.schema.Name, c.schema.Record, options)
		if err != nil {
			return err
		}
		if !c.JSON {
			return report.Print(out)
		}
		lines := json.NewEncoder(out)
		lines.SetIndent("", "  ")
		return lines.Encode(report)
	})
}

// sizeInterval is the update interval of the table sizes, which change slowly.
const sizeInterval = 5 * time.Minute

// measureSizes returns the sweep that updates the table sizes in each run.
func (s *Shell) measureSizes() sweep.Sweep {
	return sweep.Always("measure_sizes", sizeInterval, sweep.Item{
		Key: "tables", Do: func(ctx context.Context) error { return size.Export(ctx, s.Pool, s.Telemetry) },
	})
}
