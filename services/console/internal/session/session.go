// Package session keeps who has signed in, in Redis.
//
// A browser has the random token of a session in a cookie; Redis has the session under the token's digest. The token is replaced
// at sign-in, and one that was not issued here names no session, so that nobody can make a person sign in to a
// session that he knows. A session is written at sign-in only, and read from then on, so that a request that ends after its
// session does not bring it back.
//
// Besides its own life, a session depends on a random generation of its person: signing out everywhere deletes it, and every
// session of that person with it, in one step.
package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/services/console/internal/person"
	"sellerapi.dev/services/console/internal/signin"
)

// Options configure sessions.
type Options struct {
	Redis goredis.UniversalClient
	// Life is the time from signing in to the end of a session.
	Life time.Duration
	// Secure says that browsers reach the console by TLS: cookies then have the prefix __Host- and are sent over TLS only. Without
	// it, on a loopback address, browsers would not accept that prefix.
	Secure bool
}

// Sessions are the sessions of all browsers.
type Sessions struct {
	scs   *scs.SessionManager
	redis goredis.UniversalClient
	life  time.Duration
}

// New returns sessions in Redis.
func New(options Options) *Sessions {
	manager := scs.New()
	manager.Store = &store{options.Redis}
	manager.HashTokenInStore = true
	manager.Lifetime = options.Life
	manager.Cookie.Name = CookieName(options.Secure)
	manager.Cookie.Secure = options.Secure
	manager.Cookie.HttpOnly = true
	manager.Cookie.SameSite = http.SameSiteLaxMode
	manager.Cookie.Path = "/"
	return &Sessions{scs: manager, redis: options.Redis, life: options.Life}
}

// CookieName returns the name of the cookie of sessions.
func CookieName(secure bool) string {
	if secure {
		return "__Host-console"
	}
	return "console"
}

// signedKey is the name of the only value of a session.
const signedKey = "signed"

// attemptLife is how long a person may take to sign in at the provider.
const attemptLife = 10 * time.Minute

// Signed is the content of the session of a person who has signed in.
type Signed struct {
	Person person.Person `json:"person"`
	// Authenticated is when the provider authenticated the person; zero if it does not say.
	Authenticated time.Time `json:"authenticated"`
	// Generation is that of the person at the sign-in.
	Generation string `json:"generation"`
}

// Load returns a context with the session of a request, a new one if it has none.
func (s *Sessions) Load(r *http.Request) (context.Context, error) {
	token := ""
	if cookie, err := r.Cookie(s.scs.Cookie.Name); err == nil {
		token = cookie.Value
	}
	return s.scs.Load(r.Context(), token)
}

// Save stores the session of a context if it has changed, and sets its cookie. It must be called before the response is written.
func (s *Sessions) Save(ctx context.Context, w http.ResponseWriter) error {
	switch s.scs.Status(ctx) {
	case scs.Modified:
		token, expiry, err := s.scs.Commit(ctx)
		if err != nil {
			return err
		}
		s.scs.WriteSessionCookie(ctx, w, token, expiry)
	case scs.Destroyed:
		s.scs.WriteSessionCookie(ctx, w, "", time.Time{})
	case scs.Unmodified:
	}
	return nil
}

// Begin keeps an attempt of a browser to sign in. It has a cookie of its own, and does not write the session of a person who has
// signed in: an attempt may end after that session.
func (s *Sessions) Begin(ctx context.Context, w http.ResponseWriter, attempt signin.Attempt) error {
	content, err := json.Marshal(attempt)
	if err != nil {
		return fmt.Errorf("attempt: %w", err)
	}
	token := rand.Text()
	if err := s.redis.Set(ctx, attemptKey(token), content, attemptLife).Err(); err != nil {
		return fmt.Errorf("store attempt: %w", err)
	}
	s.setAttempt(w, token, int(attemptLife.Seconds()))
	return nil
}

// TakeAttempt returns the attempt of the browser to sign in, once; the zero attempt if there is none.
func (s *Sessions) TakeAttempt(ctx context.Context, w http.ResponseWriter, r *http.Request) (signin.Attempt, error) {
	cookies := r.CookiesNamed(s.attemptCookie())
	if len(cookies) == 0 {
		return signin.Attempt{}, nil
	}
	s.setAttempt(w, "", -1)
	content, err := s.redis.GetDel(ctx, attemptKey(cookies[0].Value)).Bytes()
	if errors.Is(err, goredis.Nil) {
		return signin.Attempt{}, nil
	}
	if err != nil {
		return signin.Attempt{}, fmt.Errorf("take attempt: %w", err)
	}
	var attempt signin.Attempt
	if err := json.Unmarshal(content, &attempt); err != nil {
		return signin.Attempt{}, fmt.Errorf("attempt: %w", err)
	}
	return attempt, nil
}

func (s *Sessions) attemptCookie() string { return s.scs.Cookie.Name + "-attempt" }

func (s *Sessions) setAttempt(w http.ResponseWriter, token string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: s.attemptCookie(), Value: token, Path: "/", MaxAge: seconds, Secure: s.scs.Cookie.Secure, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}

// SignIn makes the session that of a person, under a new token and with nothing of what it was before.
func (s *Sessions) SignIn(ctx context.Context, who signin.Result) error {
	generation, err := s.generation(ctx, who.Person.Subject)
	if err != nil {
		return err
	}
	if err := s.scs.Clear(ctx); err != nil {
		return fmt.Errorf("clear session: %w", err)
	}
	if err := s.scs.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew token: %w", err)
	}
	return s.put(ctx, signedKey, Signed{Person: who.Person, Authenticated: who.Authenticated, Generation: generation})
}

// SignedIn returns the person of the session; false for nobody, and after the person has signed out everywhere.
func (s *Sessions) SignedIn(ctx context.Context) (Signed, bool, error) {
	content := s.scs.GetBytes(ctx, signedKey)
	if content == nil {
		return Signed{}, false, nil
	}
	var signed Signed
	if err := json.Unmarshal(content, &signed); err != nil {
		return Signed{}, false, fmt.Errorf("session: %w", err)
	}
	current, err := s.redis.Get(ctx, generationKey(signed.Person.Subject)).Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return Signed{}, false, fmt.Errorf("find generation: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(current), []byte(signed.Generation)) == 0 {
		return Signed{}, false, nil
	}
	return signed, true, nil
}

// SignOut ends the session.
func (s *Sessions) SignOut(ctx context.Context) error { return s.scs.Destroy(ctx) }

// SignOutEverywhere ends all sessions of the person, this one included.
func (s *Sessions) SignOutEverywhere(ctx context.Context, who person.Person) error {
	if err := s.redis.Del(ctx, generationKey(who.Subject)).Err(); err != nil {
		return fmt.Errorf("delete generation: %w", err)
	}
	return s.scs.Destroy(ctx)
}

func (s *Sessions) put(ctx context.Context, key string, value any) error {
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("session: %w", err)
	}
	s.scs.Put(ctx, key, content)
	return nil
}

// generationSpare is how much longer than a session the generation is kept, so that it never ends first.
const generationSpare = time.Minute

// generation returns the generation of a person, a new one if there is none.
func (s *Sessions) generation(ctx context.Context, subject string) (string, error) {
	key, life := generationKey(subject), s.life+generationSpare
	if err := s.redis.SetNX(ctx, key, rand.Text(), life).Err(); err != nil {
		return "", fmt.Errorf("set generation: %w", err)
	}
	current, err := s.redis.GetEx(ctx, key, life).Result()
	if err != nil {
		return "", fmt.Errorf("find generation: %w", err)
	}
	return current, nil
}

func attemptKey(token string) string { return prefix + "attempt:" + digest(token) }

func generationKey(subject string) string { return prefix + "person:" + digest(subject) }

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
