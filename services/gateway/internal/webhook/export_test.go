package webhook

import (
	"net/http"
	"time"

	"sellerapi.dev/pkg/secret"
)

// Gather is how long a delivery waits for further changes.
const Gather = gather

// FailingWorkers is how many deliveries to failing addresses are under way at most.
const FailingWorkers = failingWorkers

// SetTimeout shortens deliveries.
func (s *Sender) SetTimeout(d time.Duration) { s.timeout = d }

// Sign signs a delivery.
func Sign(header http.Header, id string, at time.Time, body []byte, secrets ...secret.Text) error {
	return sign(header, id, at, body, secrets)
}

// Control is what sees an address before a connection is made.
func (a Addresses) Control(address string) error { return a.control("tcp", address, nil) }
