// Command load runs in a cluster beside the system and calls the gateway until it receives SIGINT or SIGTERM:
//
//	GATEWAY_URL=http://open-api-gateway:8080 KEYS_RPC_URL=http://open-api-gateway:8081 ORDERS_RPC_URL=http://open-api-orders:8081 \
//	  RPC_TOKEN=… RATE=100 load
//
// Without ORDERS_RPC_URL it only reads. It serves GET on port 8080:
//
//	/counts         the results of the calls since the last request to this path
//	/quiet          the milliseconds since a call last failed
//	/acknowledged   the process calls that have succeeded: one line each, with the order number and the effect
//	/unsettled      the process calls that have not succeeded yet and are being retried
//
// The URLs are https where the release uses TLS; the trusted certificate authorities are then in ca.crt in the directory
// TLS_DIR, as for the services.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"sellerapi.dev/charts/internal/load"
	"sellerapi.dev/pkg/certificate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		slog.Error("stopped", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rate, err := strconv.Atoi(os.Getenv("RATE"))
	if err != nil || rate <= 0 {
		return errors.New("RATE: must be a positive number of calls per second")
	}
	dial, err := certificate.Config{Dir: os.Getenv("TLS_DIR")}.Dialer(&net.Dialer{Timeout: load.DialTimeout}, slog.Default())
	if err != nil {
		return err
	}
	token := os.Getenv("RPC_TOKEN")
	issuer := load.Issuer{URL: os.Getenv("KEYS_RPC_URL"), Token: token, Dial: dial}
	keys, err := issuer.Issue(ctx, rate+rate/5) // each key makes five calls in six seconds; one a second is allowed
	if err != nil {
		return err
	}
	calls := load.New(load.Options{
		URL: os.Getenv("GATEWAY_URL"), Rate: rate, Keys: keys,
		Paths: load.Paths(), Dial: dial,
		Intake: load.Intake{URL: os.Getenv("ORDERS_RPC_URL"), Token: token, Dial: dial},
	})
	server := &http.Server{Addr: ":8080", ReadHeaderTimeout: 5 * time.Second, Handler: answers(calls)}
	go func() { _ = server.ListenAndServe() }()
	slog.InfoContext(ctx, "calling", "keys", len(keys))
	calls.Run(ctx)
	return server.Close()
}

func answers(calls *load.Load) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /counts", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(calls.Take())
	})
	mux.HandleFunc("GET /quiet", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, calls.Quiet().Milliseconds()) })
	for path, list := range map[string]func() string{"GET /acknowledged": calls.Acknowledged, "GET /unsettled": calls.Unsettled} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, list()) })
	}
	return mux
}
