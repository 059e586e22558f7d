package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"
	goredis "github.com/redis/go-redis/v9"
)

// store keeps sessions in Redis, which forgets them when they expire. The library passes digests of the tokens, so that what is
// in Redis is no credential.
type store struct{ redis goredis.UniversalClient }

var _ scs.CtxStore = (*store)(nil)

// FindCtx returns the content of a session.
func (s *store) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	content, err := s.redis.Get(ctx, sessionKey(token)).Bytes()
	if errors.Is(err, goredis.Nil) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("find session: %w", err)
	}
	return content, true, nil
}

// CommitCtx stores the content of a session until it expires.
func (s *store) CommitCtx(ctx context.Context, token string, content []byte, expiry time.Time) error {
	life := time.Until(expiry)
	if life <= 0 {
		return s.DeleteCtx(ctx, token)
	}
	if err := s.redis.Set(ctx, sessionKey(token), content, life).Err(); err != nil {
		return fmt.Errorf("store session: %w", err)
	}
	return nil
}

// DeleteCtx deletes a session.
func (s *store) DeleteCtx(ctx context.Context, token string) error {
	if err := s.redis.Del(ctx, sessionKey(token)).Err(); err != nil {
		return fmt.Errorf("delete session: %w", err)
	}
	return nil
}

// errNoContext is returned by the methods without a context, which the library does not call when those with one exist.
var errNoContext = errors.New("sessions are stored with a context")

// Find implements scs.Store.
func (*store) Find(string) ([]byte, bool, error) { return nil, false, errNoContext }

// Commit implements scs.Store.
func (*store) Commit(string, []byte, time.Time) error { return errNoContext }

// Delete implements scs.Store.
func (*store) Delete(string) error { return errNoContext }

const prefix = "console:"

func sessionKey(token string) string { return prefix + "session:" + token }
