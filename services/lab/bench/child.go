package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"sellerapi.dev/services/lab/child"
)

// ChildCommand is the command with which this program starts itself for what is measured beside the services.
const ChildCommand = "child"

const (
	spansChild    = "spans"
	constantChild = "constant"
	bareChild     = "bare"
)

// Child runs a process of a measurement until its input is closed. The first argument selects it.
func Child(ctx context.Context, out io.Writer, args []string) error {
	ctx, stop := child.UntilClosed(ctx)
	defer stop()
	switch {
	case len(args) == 1 && args[0] == spansChild:
		return receiveSpans(ctx, out)
	case len(args) == 1 && args[0] == constantChild:
		return serve(ctx, out, http.HandlerFunc(answerConstant))
	case len(args) == 2 && args[0] == bareChild:
		return serve(ctx, out, bareProxy(args[1]))
	default:
		return fmt.Errorf("no process of a measurement: %v", args)
	}
}

// bareProxy returns the proxy of the standard library, with the gateway's number of idle connections.
func bareProxy(service string) http.Handler {
	address := &url.URL{Scheme: "http", Host: service}
	return &httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(address) },
		Transport: &http.Transport{MaxIdleConnsPerHost: 512, DisableCompression: true},
	}
}

// serve serves on a free port until the context ends. It first reports its address.
func serve(ctx context.Context, out io.Writer, handler http.Handler) error {
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := json.NewEncoder(out).Encode(port.Addr().String()); err != nil {
		return err
	}
	if err := server.Serve(port); ctx.Err() == nil {
		return err
	}
	return nil
}
