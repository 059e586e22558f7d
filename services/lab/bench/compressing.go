package bench

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"

	"sellerapi.dev/pkg/launch"
)

// compressions is how often a response is compressed, because the scheduler's accounting lags by a few milliseconds.
const compressions = 2000

// compressing returns the CPU time of compressing the response to a request as the gateway does. It is the yardstick for the
// CPU time of the services, and is measured when nothing else runs in this process.
func (w *world) compressing(ctx context.Context, r request) (time.Duration, error) {
	response, err := w.call(ctx, r.seller, r.target)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body) // decompressed by the client
	if err != nil {
		return 0, err
	}
	writer, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		return 0, err
	}
	before, err := launch.CPU(os.Getpid())
	if err != nil {
		return 0, err
	}
	for range compressions {
		writer.Reset(io.Discard)
		if _, err := writer.Write(text); err != nil {
			return 0, err
		}
		if err := writer.Close(); err != nil {
			return 0, err
		}
	}
	after, err := launch.CPU(os.Getpid())
	return (after - before) / compressions, err
}
