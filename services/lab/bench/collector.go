package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	tracev1 "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"

	"sellerapi.dev/pkg/launch"
)

// CollectorCommand is the command of this program that receives spans.
const CollectorCommand = "receive-spans"

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

// ReceiveSpans runs an OTLP receiver on a free loopback port until ctx ends. It first writes a line with its address, and
// finally a line with the number of spans that it received.
func ReceiveSpans(ctx context.Context, out io.Writer) error {
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	r := &receiver{}
	server := grpc.NewServer()
	tracev1.RegisterTraceServiceServer(server, r)
	stop := context.AfterFunc(ctx, server.Stop)
	defer stop()
	if _, err := fmt.Fprintln(out, "http://"+port.Addr().String()); err != nil {
		return err
	}
	if err := server.Serve(port); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	_, err = fmt.Fprintln(out, r.spans.Load())
	return err
}

type collector struct {
	address string

	command *exec.Cmd
	child   *launch.Child
	lines   *bufio.Reader
	output  *os.File
}

const collectorTimeout = 10 * time.Second

func startCollector() (*collector, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	output, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = input.Close() }()
	command := exec.Command(program, CollectorCommand) //nolint:noctx // see stop
	c := &collector{command: command, lines: bufio.NewReader(output), output: output}
	c.command.Stdout, c.command.Stderr = input, os.Stderr
	if c.child, err = launch.Start(c.command); err != nil {
		return nil, errors.Join(err, output.Close())
	}
	if c.address, err = c.line(); err != nil {
		return nil, errors.Join(err, c.child.Kill())
	}
	return c, nil
}

func (c *collector) line() (string, error) {
	line, err := c.lines.ReadString('\n')
	return strings.TrimSpace(line), err
}

func (c *collector) stop() (spans int64, err error) {
	defer func() { err = errors.Join(err, c.output.Close()) }()
	_ = c.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-c.child.Ended():
	case <-time.After(collectorTimeout):
		return 0, errors.Join(errors.New("the receiver of spans does not stop"), c.child.Kill())
	}
	line, err := c.line()
	if err != nil {
		return 0, err
	}
	_, err = fmt.Sscan(line, &spans)
	return spans, err
}
