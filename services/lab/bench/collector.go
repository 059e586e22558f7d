package bench

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync/atomic"

	tracev1 "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
)

// receiver decodes and counts the spans that it receives, and stores none.
type receiver struct {
	tracev1.UnimplementedTraceServiceServer
	spans atomic.Int64
}

// Export implements OTLP's trace service.
func (r *receiver) Export(_ context.Context, request *tracev1.ExportTraceServiceRequest) (*tracev1.ExportTraceServiceResponse,
	error,
) {
	for _, resource := range request.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			r.spans.Add(int64(len(scope.GetSpans())))
		}
	}
	return &tracev1.ExportTraceServiceResponse{}, nil
}

// receiveSpans runs an OTLP receiver on a free loopback port until ctx ends. It first reports its address, and finally the number
// of spans that it has received.
func receiveSpans(ctx context.Context, out io.Writer) error {
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	r := &receiver{}
	server := grpc.NewServer()
	tracev1.RegisterTraceServiceServer(server, r)
	stop := context.AfterFunc(ctx, server.Stop)
	defer stop()
	report := json.NewEncoder(out)
	if err := report.Encode(port.Addr().String()); err != nil {
		return err
	}
	if err := server.Serve(port); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return report.Encode(r.spans.Load())
}
