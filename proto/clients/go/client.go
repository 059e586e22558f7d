package sellerapi

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// answerTimeout limits one attempt if the caller provides no http.Client; the slowest operation, a batch, may take 30
// s.
const answerTimeout = 45 * time.Second

// userAgent identifies this package in the server's log.
const userAgent = "sellerapi-go/1.0.0"

// Client calls the API as one seller. It is safe for concurrent use; concurrent calls share the key's limits.
type Client struct {
	base      string
	authorize func(http.Header) // holds the key, so that printing a Client does not show it
	http      *http.Client
	clock     Clock
	retry     RetryPolicy
	random    func() float64
	newKey    func() string
	language  string
	userAgent string
}

// Option configures a Client.
type Option func(*Client)

// New returns a client for a base address, such as https://open-api.example.com, and a key of that environment.
func New(baseURL, apiKey string, options ...Option) (*Client, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, fmt.Errorf("base address: %w", err)
	}
	if (base.Scheme != "https" && base.Scheme != "http") || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("base address %q: want https://host", base.Redacted())
	}
	apiKey = strings.TrimSpace(apiKey)
	if apiKey == "" || !utf8.ValidString(apiKey) || strings.ContainsFunc(apiKey, unicode.IsControl) {
		return nil, errors.New("the API key is empty, has control characters, or is not UTF-8")
	}
	c := &Client{
		base:      strings.TrimRight(baseURL, "/"),
		authorize: func(h http.Header) { h.Set("X-Api-Key", apiKey) },
		http:      &http.Client{Timeout: answerTimeout},
		clock:     SystemClock{},
		random:    rand.Float64,
		newKey:    newUUID,
		userAgent: userAgent,
	}
	for _, option := range options {
		option(c)
	}
	if c.language != "" && !slices.Contains(languages, c.language) {
		return nil, fmt.Errorf("language %q: the languages are %s", c.language, strings.Join(languages, ", "))
	}
	c.retry = c.retry.withDefaults()
	c.http = withoutRedirects(c.http)
	return c, nil
}

// The API never redirects, and a redirect to another host would send the API key there.
func withoutRedirects(given *http.Client) *http.Client {
	own := *given
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}

// WithHTTPClient sets how requests are sent. Its Timeout limits each attempt; redirects are not followed in any case.
func WithHTTPClient(client *http.Client) Option { return func(c *Client) { c.http = client } }

// WithRetry sets the limits of retries; fields that are zero keep their defaults.
func WithRetry(policy RetryPolicy) Option { return func(c *Client) { c.retry = policy } }

// WithClock replaces the clock, in tests.
func WithClock(clock Clock) Option { return func(c *Client) { c.clock = clock } }

// WithRandom replaces the source of jitter, numbers from 0 to 1, in tests.
func WithRandom(random func() float64) Option { return func(c *Client) { c.random = random } }

// WithKeys replaces the source of idempotency keys. Every key that it returns must be unique among all keys of the
// seller.
func WithKeys(newKey func() string) Option { return func(c *Client) { c.newKey = newKey } }

// languages are those in which the server has messages.
var languages = []string{"en", "ko"}

// WithLanguage sets the language of messages, "en" or "ko"; English by default.
func WithLanguage(language string) Option { return func(c *Client) { c.language = language } }

// WithUserAgent identifies the calling program in the server's log.
func WithUserAgent(name string) Option { return func(c *Client) { c.userAgent = name } }
