package bench

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"sellerapi.dev/pkg/principal"
)

// serviceReady is what the service says when it listens.
type serviceReady struct{ Address string }

// page is the constant answer: about as long as a page of ten orders.
var page = `{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},"data":{"list":["` +
	strings.Repeat("0123456789abcdef", 512) + `"],"next_cursor":null}}`

// result is the constant answer to a process call: that to a preparation of one item.
const result = `{"meta":{"code":200,"message":"OK","error_code":null,"error_data":null},"data":{"order_no":"20260101-0000001",` +
	`"order_status":"preparing","updated_at":"2026-01-01T00:00:00.000Z","items":[{"item_id":"0190a5c0-0000-7000-8000-000000000001",` +
	`"item_code":"0190a5c0-0000-7000-8000-000000000002","item_status":"preparing","already_done":false}]}}`

// serveService is the service behind the gateway: a constant answer, with as many rows as the query says.
func serveService(ctx context.Context, out io.Writer) error {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header["Content-Type"] = []string{"application/json; charset=utf-8"}
		if r.Method == http.MethodPost {
			header.Set(principal.InboxHeader, "stored 86400")
			_, _ = io.WriteString(w, result)
			return
		}
		header.Set(principal.RowsHeader, r.URL.Query().Get("rows"))
		_, _ = io.WriteString(w, page)
	})
	return serve(ctx, out, map[string]http.Handler{"Address": handler})
}

// serve answers on a free port for each handler until the context ends, once it has printed their addresses and more.
func serve(ctx context.Context, out io.Writer, handlers map[string]http.Handler, more ...map[string]any) error {
	said := map[string]any{}
	for _, values := range more {
		for name, value := range values {
			said[name] = value
		}
	}
	failed := make(chan error, len(handlers))
	for name, handler := range handlers {
		port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
		defer func() { _ = server.Close() }()
		go func() { failed <- server.Serve(port) }()
		said[name] = port.Addr().String()
	}
	if err := json.NewEncoder(out).Encode(said); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	}
}
