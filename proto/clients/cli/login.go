package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	sellerapi "sellerapi.dev/proto/clients/go"
)

var errNoKey = errors.New("no API key: run sellerapi login, or set SELLER_API_URL and SELLER_API_KEY")

// kept is the content of the file that login writes.
type kept struct {
	URL string `json:"url"`
	Key string `json:"key"`
}

func (w *World) loginFile() string { return filepath.Join(w.Folder, "login.json") }

type login struct {
	Forget bool `help:"Delete the file again."`
}

// Help implements kong.HelpProvider.
func (login) Help() string {
	return "Asks for the key, or reads it from the standard input, and tries it before it is kept.\n\n" +
		"  sellerapi login --url https://open-api.example.com\n" +
		"  sellerapi login --url https://open-api.example.com < key.txt"
}

// Run runs the command.
func (l *login) Run(ctx context.Context, world *World, all *commands) error {
	if l.Forget {
		if err := os.Remove(world.loginFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		say(world.Out, "The key is deleted.")
		return nil
	}
	given := kept{URL: all.address(world)}
	if given.URL == "" {
		return errors.New("login needs --url, the address of the system")
	}
	var err error
	if given.Key, err = world.askKey(); err != nil {
		return err
	}
	client, err := given.client(all, world)
	if err != nil {
		return err
	}
	if _, err := client.ListOrders(ctx, sellerapi.OrderFilter{Limit: 1}); err != nil &&
		!errors.Is(err, sellerapi.CodeScopeForbidden) {
		return fmt.Errorf("the key was not kept: %w", err)
	}
	if err := world.keep(given); err != nil {
		return err
	}
	say(world.Out, "The key works and is kept in %s.", world.loginFile())
	return nil
}

// askKey reads the key: from a terminal without showing it, otherwise the first line.
func (w *World) askKey() (string, error) {
	if file, is := w.In.(*os.File); is && term.IsTerminal(int(file.Fd())) {
		_, _ = io.WriteString(w.Err, "API key: ")
		key, err := term.ReadPassword(int(file.Fd()))
		say(w.Err, "")
		return strings.TrimSpace(string(key)), err
	}
	read, err := io.ReadAll(w.In)
	if err != nil {
		return "", err
	}
	text, err := decoded(read)
	return firstLine(text), err
}

// keep writes the file readable by its owner alone, whatever was there before.
func (w *World) keep(given kept) error {
	if err := os.MkdirAll(w.Folder, 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(given)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(w.Folder, "login-*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), w.loginFile())
}

// load reads the address and the key: the command line and the environment take precedence over the file of
// login.
func (all *commands) load(world *World) (kept, error) {
	var found kept
	text, err := os.ReadFile(world.loginFile())
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return found, fmt.Errorf("%s: %w", world.loginFile(), err)
	}
	if key := world.Env("SELLER_API_KEY"); key != "" {
		found = kept{Key: key, URL: found.URL}
	}
	if address := all.address(world); address != "" {
		found.URL = address
	}
	if found.URL == "" || found.Key == "" {
		return found, errNoKey
	}
	return found, nil
}

func (all *commands) address(world *World) string {
	if all.URL != "" {
		return all.URL
	}
	return world.Env("SELLER_API_URL")
}

func (all *commands) client(world *World) (*sellerapi.Client, error) {
	found, err := all.load(world)
	if err != nil {
		return nil, err
	}
	return found.client(all, world)
}

func (k kept) client(all *commands, world *World, options ...sellerapi.Option) (*sellerapi.Client, error) {
	return sellerapi.New(k.URL, k.Key, append(options, sellerapi.WithLanguage(all.Language), sellerapi.WithClock(world.Clock),
		sellerapi.WithUserAgent("sellerapi-cli/1.0.0"))...)
}
