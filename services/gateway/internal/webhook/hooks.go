package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/secret"
)

const (
	// overlap is how long the secret before a rotation stays valid.
	overlap = 24 * time.Hour
	// maxDeliveries is how many deliveries one call lists.
	maxDeliveries = 100
)

// Vault encrypts secrets; each can be decrypted with its id only.
type Vault interface {
	Encrypt(id uuid.UUID, text secret.Text) ([]byte, error)
	Decrypt(id uuid.UUID, encrypted []byte) (secret.Text, error)
}

// Store keeps webhooks. Every method with a request writes its audit entry in the transaction of its effect.
type Store interface {
	// AddWebhook stores a webhook, or returns the one that the same request added. Errors: apikey.ErrSellerUnknown, ErrTooMany,
	// ErrURLTaken, ErrOtherContent.
	AddWebhook(ctx context.Context, request AddRequest, id uuid.UUID, sealed []byte, begin Clocks) (Webhook, error)
	// ListWebhooks returns the webhooks of a seller, oldest first.
	ListWebhooks(ctx context.Context, request Request) ([]Webhook, error)
	// RotateWebhook replaces the secret, which stays valid for the overlap; the same request again changes nothing. Error:
	// ErrUnknown.
	RotateWebhook(ctx context.Context, request Request, sealed []byte, overlap time.Duration) (Webhook, error)
	// PauseWebhook and ResumeWebhook stop and start deliveries. Error: ErrUnknown.
	PauseWebhook(ctx context.Context, request Request) (Webhook, error)
	ResumeWebhook(ctx context.Context, request Request) (Webhook, error)
	// RemoveWebhook removes a webhook, if there is one.
	RemoveWebhook(ctx context.Context, request Request) error
	// ListWebhookDeliveries returns deliveries with ids before the given one, latest first.
	ListWebhookDeliveries(ctx context.Context, request Request, before uuid.UUID, limit int) ([]Delivery, error)
	// ClaimWebhookForTest claims a webhook in any state. Errors: ErrUnknown, ErrUnderWay.
	ClaimWebhookForTest(ctx context.Context, request Request, lasts time.Duration) (Claimed, error)
	// RecordTest records the delivery of a test and ends the claim.
	RecordTest(ctx context.Context, claimed Claimed, delivery Delivery) (Delivery, error)
}

// Hooks implements the use cases of the RPC. It is safe for concurrent use.
type Hooks struct {
	store    Store
	vault    Vault
	services Services
	sender   *Sender
}

// NewHooks returns the use cases over a store.
func NewHooks(store Store, vault Vault, services Services, sender *Sender) *Hooks {
	return &Hooks{store: store, vault: vault, services: services, sender: sender}
}

// Add adds an address and returns it with its secret. Changes before the call are not delivered. Errors: those of AddWebhook, and
// of a service that does not return its clocks.
func (h *Hooks) Add(ctx context.Context, request AddRequest) (Webhook, secret.Text, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Webhook{}, secret.Text{}, fmt.Errorf("generate an id: %w", err)
	}
	sealed, err := h.vault.Encrypt(id, newSecret())
	if err != nil {
		return Webhook{}, secret.Text{}, err
	}
	now, err := h.services.ask(ctx, []uuid.UUID{request.SellerID})
	if err != nil {
		return Webhook{}, secret.Text{}, err
	}
	added, err := h.store.AddWebhook(ctx, request, id, sealed, now[request.SellerID])
	return h.opened(added, err)
}

// Rotate returns a webhook with a new secret. Errors: those of RotateWebhook.
func (h *Hooks) Rotate(ctx context.Context, request Request) (Webhook, secret.Text, error) {
	sealed, err := h.vault.Encrypt(request.ID, newSecret())
	if err != nil {
		return Webhook{}, secret.Text{}, err
	}
	rotated, err := h.store.RotateWebhook(ctx, request, sealed, overlap)
	return h.opened(rotated, err)
}

func (h *Hooks) opened(hook Webhook, err error) (Webhook, secret.Text, error) {
	if err != nil {
		return Webhook{}, secret.Text{}, err
	}
	text, err := h.vault.Decrypt(hook.ID, hook.Sealed)
	return hook, text, err
}

// List returns the webhooks of a seller, oldest first.
func (h *Hooks) List(ctx context.Context, request Request) ([]Webhook, error) {
	return h.store.ListWebhooks(ctx, request)
}

// Pause stops deliveries. Error: ErrUnknown.
func (h *Hooks) Pause(ctx context.Context, request Request) (Webhook, error) {
	return h.store.PauseWebhook(ctx, request)
}

// Resume starts deliveries again. Error: ErrUnknown.
func (h *Hooks) Resume(ctx context.Context, request Request) (Webhook, error) {
	return h.store.ResumeWebhook(ctx, request)
}

// Remove removes a webhook, if there is one.
func (h *Hooks) Remove(ctx context.Context, request Request) error {
	return h.store.RemoveWebhook(ctx, request)
}

// Deliveries returns deliveries of the last seven days before the given one, latest first.
func (h *Hooks) Deliveries(ctx context.Context, request Request, before uuid.UUID) ([]Delivery, error) {
	return h.store.ListWebhookDeliveries(ctx, request, before, maxDeliveries)
}

// Test makes a delivery that says that nothing has moved, and returns what became of it. Errors: ErrUnknown, ErrUnderWay.
func (h *Hooks) Test(ctx context.Context, request Request) (Delivery, error) {
	claimed, err := h.store.ClaimWebhookForTest(ctx, request, claimTime)
	if err != nil {
		return Delivery{}, err
	}
	secrets, err := open(h.vault, claimed.Webhook)
	if err != nil {
		return Delivery{}, err
	}
	ctx = context.WithoutCancel(ctx) // a receiver has the time of a delivery, whatever deadline the call has
	delivery, err := h.sender.send(ctx, claimed.URL, secrets, Test, Moved{})
	if err != nil {
		return Delivery{}, err
	}
	return h.store.RecordTest(ctx, claimed, delivery)
}

// open decrypts the valid secrets of a webhook.
func open(vault Vault, hook Webhook) (Secrets, error) {
	var secrets Secrets
	for _, sealed := range [][]byte{hook.Sealed, hook.SealedPrevious} {
		if sealed == nil {
			continue
		}
		text, err := vault.Decrypt(hook.ID, sealed)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, text)
	}
	return secrets, nil
}

// set sets the clock of a service.
func (c *Clocks) set(name operation.Service, micros int64) {
	switch name {
	case operation.Orders:
		c.Orders = micros
	case operation.Claims:
		c.Claims = micros
	default:
		c.QnA = micros
	}
}
