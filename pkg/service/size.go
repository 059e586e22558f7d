package service

import (
	"context"
	"time"

	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/sweep"
)

// sizeInterval is the update interval of the table sizes, which change slowly.
const sizeInterval = 5 * time.Minute

func (s *Shell) measureSizes() sweep.Sweep {
	return sweep.Always("measure_sizes", sizeInterval, sweep.Item{
		Key: "tables", Do: func(ctx context.Context) error { return size.Export(ctx, s.Pool, s.Telemetry) },
	})
}
