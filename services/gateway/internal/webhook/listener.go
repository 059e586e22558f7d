package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/operation"
)

const (
	// askTimeout limits one question to a service.
	askTimeout = 5 * time.Second
	// askPatience is how long a look waits for answers.
	askPatience = time.Second
)

// question is one question to a service for the clocks of sellers. The answer may be read when answered is closed.
type question struct {
	service  operation.Service
	sellers  []uuid.UUID
	answered chan struct{}
	micros   []int64
	err      error
}

// put asks a service.
func (s Services) put(ctx context.Context, service operation.Service, sellers []uuid.UUID) *question {
	q := &question{service: service, sellers: sellers, answered: make(chan struct{})}
	ids := make([][]byte, len(sellers))
	for n := range sellers {
		ids[n] = sellers[n][:]
	}
	go func() {
		defer close(q.answered)
		ctx, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		q.micros, q.err = s[service](ctx, ids)
		if q.err == nil && len(q.micros) != len(ids) {
			q.err = errors.New("not one clock for each seller")
		}
	}()
	return q
}

// hear adds the answer to what is known.
func (q *question) hear(clocks map[uuid.UUID]Clocks) error {
	if q.err != nil {
		return fmt.Errorf("ask %s for clocks: %w", q.service, q.err)
	}
	for n, seller := range q.sellers {
		of := clocks[seller]
		of.set(q.service, q.micros[n])
		clocks[seller] = of
	}
	return nil
}

// ask asks all services at once for the clocks of sellers. With an error of one service, its clocks are zero.
func (s Services) ask(ctx context.Context, sellers []uuid.UUID) (map[uuid.UUID]Clocks, error) {
	questions := make([]*question, 0, len(s))
	for service := range s {
		questions = append(questions, s.put(ctx, service, sellers))
	}
	clocks := make(map[uuid.UUID]Clocks, len(sellers))
	problems := make([]error, 0, len(questions))
	for _, q := range questions {
		<-q.answered
		problems = append(problems, q.hear(clocks))
	}
	return clocks, errors.Join(problems...)
}

// listener asks the services for looks, which do not wait for a service that does not respond. What it says too late for one look
// is heard by the next: clocks only go forwards.
type listener struct {
	services Services
	// open are the questions whose answer was not heard: at most one to a service for each portion of addresses.
	open map[topic]*question
	// late are the services that did not respond in time, and have not responded since. They are not waited for.
	late map[operation.Service]bool
}

type topic struct {
	service operation.Service
	portion int
}

func newListener(services Services) *listener {
	return &listener{services: services, open: map[topic]*question{}, late: map[operation.Service]bool{}}
}

// ask asks all services at once for the clocks of the sellers of a portion, and returns what it has heard after a second at most.
// The clocks of a service that has not responded, or with an error, are zero; the error says so.
func (l *listener) ask(ctx context.Context, portion int, sellers []uuid.UUID) (map[uuid.UUID]Clocks, error) {
	clocks := make(map[uuid.UUID]Clocks, len(sellers))
	if len(sellers) == 0 {
		return clocks, nil
	}
	for service := range l.services {
		if about := (topic{service, portion}); l.open[about] == nil {
			l.open[about] = l.services.put(ctx, service, sellers)
		}
	}
	patient, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	var problems []error
	for service := range l.services {
		problems = append(problems, l.hear(patient, topic{service, portion}, clocks))
	}
	return clocks, errors.Join(problems...)
}

// hear adds the answer to an open question if there is one in time.
func (l *listener) hear(patient context.Context, about topic, clocks map[uuid.UUID]Clocks) error {
	q := l.open[about]
	if !l.late[about.service] {
		select {
		case <-q.answered:
		case <-patient.Done():
		}
	}
	select {
	case <-q.answered:
	default:
		l.late[about.service] = true
		return fmt.Errorf("ask %s for clocks: no answer yet", about.service)
	}
	delete(l.open, about)
	err := q.hear(clocks)
	if err == nil {
		delete(l.late, about.service)
	}
	return err
}
