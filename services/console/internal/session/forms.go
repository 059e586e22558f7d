package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
)

// formLife is how long a form may be open before it is sent.
const formLife = time.Hour

// Form is what a form is for. One that was made for another person, seller or purpose is not accepted.
type Form struct{ Subject, Seller, Purpose string }

func (f Form) text() string { return digest(f.Subject + "\n" + f.Seller + "\n" + f.Purpose) }

// NewForm returns the id of a form that may be sent once. The gateway gets it as the id of the request, so that a form that is
// sent again, because its answer was lost, has one effect.
func (s *Sessions) NewForm(ctx context.Context, form Form) (string, error) {
	id := uuid.NewString()
	if err := s.redis.Set(ctx, formKey(id), form.text(), formLife).Err(); err != nil {
		return "", fmt.Errorf("store form: %w", err)
	}
	return id, nil
}

// FormOpen reports whether a form may be sent: it was made for this, and no sending of it has succeeded yet.
func (s *Sessions) FormOpen(ctx context.Context, id string, form Form) (bool, error) {
	if isID := uuid.Validate(id) == nil; !isID {
		return false, nil
	}
	text, err := s.redis.Get(ctx, formKey(id)).Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return false, fmt.Errorf("find form: %w", err)
	}
	return text == form.text(), nil
}

// CloseForm says that a form has done what it was for.
func (s *Sessions) CloseForm(ctx context.Context, id string) error {
	if err := s.redis.Del(ctx, formKey(id)).Err(); err != nil {
		return fmt.Errorf("delete form: %w", err)
	}
	return nil
}

func formKey(id string) string { return prefix + "form:" + id }
