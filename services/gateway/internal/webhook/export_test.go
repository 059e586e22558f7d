package webhook

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/secret"
)

// Gather is how long a delivery waits for further changes.
const Gather = gather

// FailingWorkers is how many deliveries to failing addresses are under way at most.
const FailingWorkers = failingWorkers

// SetTimeout shortens deliveries.
func (s *Sender) SetTimeout(d time.Duration) { s.timeout = d }

// SetSlowAfter sets which deliveries are slow.
func (d *Deliverer) SetSlowAfter(took time.Duration) { d.slowAfter = took }

// Slow returns the addresses to which a delivery was slow.
func (d *Deliverer) Slow() map[uuid.UUID]time.Time { return d.slow }

// AskTimeout limits a question to the services.
const AskTimeout = askTimeout

// Ask asks the services for the clocks of sellers.
func (s Services) Ask(ctx context.Context, sellers []uuid.UUID) (map[uuid.UUID]Clocks, error) {
	return s.ask(ctx, sellers)
}

// AskPatience is how long a look waits for a service.
const AskPatience = askPatience

// Listen returns how a deliverer asks the services for the clocks of sellers.
func (s Services) Listen() func(context.Context, []uuid.UUID) (map[uuid.UUID]Clocks, error) {
	l := newListener(s)
	return func(ctx context.Context, sellers []uuid.UUID) (map[uuid.UUID]Clocks, error) {
		return l.ask(ctx, 0, sellers)
	}
}

// Sign signs a delivery.
func Sign(header http.Header, id string, at time.Time, body []byte, secrets ...secret.Text) error {
	return sign(header, id, at, body, secrets)
}

// Control is what sees an address before a connection is made.
func (a Addresses) Control(address string) error { return a.control("tcp", address, nil) }
