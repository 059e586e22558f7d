// Package origin checks the addresses in the settings of the console. An address that people or secrets travel to has to be
// https, unless it is on the loopback interface, as on a developer's machine. Errors do not quote addresses.
package origin

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// Origin is the address at which browsers reach the console: scheme and host, without a slash at the end.
type Origin struct {
	// URL is the text, such as https://console.example.com.
	URL string
	// Secure reports whether it is https.
	Secure bool
}

var (
	errOrigin   = errors.New("expected https://host without a path; http only for a loopback address")
	errInternal = errors.New("expected http://host:port without a path")
	errIssuer   = errors.New("expected https://host/path without a query; http only for a loopback address")
)

// Parse reads the address of the console.
func Parse(text string) (Origin, error) {
	u, err := url.Parse(text)
	if err != nil || !isPlain(u) || !isBare(u) || !isProtected(u) {
		return Origin{}, errOrigin
	}
	return Origin{URL: u.Scheme + "://" + u.Host, Secure: u.Scheme == "https"}, nil
}

// Optional checks an address to which pages link, which may be empty.
func Optional(text string) error {
	if text == "" {
		return nil
	}
	_, err := Parse(text)
	return err
}

// Internal checks the address of a service in the same network.
func Internal(text string) error {
	u, err := url.Parse(text)
	if err != nil || !isPlain(u) || !isBare(u) || u.Scheme != "http" && u.Scheme != "https" {
		return errInternal
	}
	return nil
}

// Issuer checks the issuer of an OpenID provider.
func Issuer(text string) error {
	u, err := url.Parse(text)
	if err != nil || !isPlain(u) || !isProtected(u) {
		return errIssuer
	}
	return nil
}

func isPlain(u *url.URL) bool {
	return u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

func isBare(u *url.URL) bool { return u.Path == "" || u.Path == "/" }

func isProtected(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
