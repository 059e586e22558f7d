// Command sellerapi works with the orders, claims and product inquiries of a seller; see `sellerapi --help`.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/term"

	"sellerapi.dev/proto/clients/cli"
	sellerapi "sellerapi.dev/proto/clients/go"
)

func main() {
	folder, err := os.UserConfigDir()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sellerapi:", err)
		os.Exit(cli.ExitFailed)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.World{
		In: os.Stdin, Terminal: term.IsTerminal(int(os.Stderr.Fd())), Clock: sellerapi.SystemClock{},
		Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Folder: filepath.Join(folder, "sellerapi"),
	})
	stop()
	os.Exit(code)
}
