package ownertest

import (
	"context"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/pkg/web"
)

// Migrations returns the migrations of the tables: those of the inbox, and one for effects.
func Migrations() fs.FS {
	return fstest.MapFS{"00001_init.sql": {Data: []byte("-- +goose Up\n" + inbox.Schema + `
		create table effects (
			effect_id bigint generated always as identity primary key,
			seller_id uuid not null,
			operation text not null,
			name text not null
		);`)}}
}

// Options are the dependencies and settings of the service.
type Options struct {
	Pool      *postgres.Pool
	Telemetry *telemetry.Telemetry
	Inbox     inbox.Config
	// Steps makes the steps of every operation separate transactions: a repeated call on a record finds the effect of the earlier
	// one.
	Steps bool
	// At, if set, is called at each point of each process call with the name of its record. It may block; a panic with
	// http.ErrAbortHandler closes the connection.
	At func(point Point, name string)
}

// Service serves every process operation of the operation table.
type Service struct {
	options Options
	box     *inbox.Box
	engine  http.Handler

	mu      sync.Mutex
	arrived []*http.Request
}

// New returns the service.
func New(options Options) *Service {
	s := &Service{options: options, box: inbox.New(options.Pool, options.Inbox)}
	if s.options.At == nil {
		s.options.At = func(Point, string) {}
	}
	engine := web.NewEngine(web.Options{Service: "owner", Telemetry: options.Telemetry})
	handlers := web.Handlers{}
	for _, op := range operation.All() {
		if op.Class == operation.Process {
			parse := func(c *gin.Context) (command, error) { return s.parse(c, op) }
			handler := inbox.Handle(s.box, parse, func(ctx context.Context, tx inbox.Tx, c command) (any, error) {
				return s.run(ctx, postgres.Statements(tx), c)
			})
			if options.Steps {
				handler = inbox.HandleSteps(s.box, parse, func(ctx context.Context, c command) (any,
					error,
				) {
					return s.run(ctx, options.Pool, c)
				})
			}
			handlers[op.Name] = handler
		}
	}
	for _, service := range operation.Services() {
		s.register(engine, service, handlers)
	}
	s.engine = engine
	return s
}

// register serves the process operations of a service, whose requests the gateway signs.
func (s *Service) register(engine *gin.Engine, service operation.Service, handlers web.Handlers) {
	party := trust.Party(service)
	callers, err := principal.NewVerifier(party, trusttest.Key(party), trusttest.Keys())
	if err != nil {
		panic(err) // cannot happen: the keys are fixed by the tests
	}
	owned, own := []operation.Operation{}, web.Handlers{}
	for _, op := range operation.Of(service) {
		if handler, ok := handlers[op.Name]; ok {
			owned, own[op.Name] = append(owned, op), handler
		}
	}
	if err := web.RegisterOperations(engine, callers, owned, own); err != nil {
		panic(err) // cannot happen: the handlers match the rows above
	}
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.arrived = append(s.arrived, r.Clone(context.WithoutCancel(r.Context())))
	s.mu.Unlock()
	name := nameIn(r.URL.Path)
	s.options.At(BeforeKey, name)
	s.engine.ServeHTTP(&watched{ResponseWriter: w, about: func() { s.options.At(BeforeAnswer, name) }}, r)
}

// Arrived returns the calls received so far, without their bodies.
func (s *Service) Arrived() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.arrived...)
}

// Box returns the inbox.
func (s *Service) Box() *inbox.Box { return s.box }

func nameIn(path string) string {
	segments := strings.Split(path, "/")
	return segments[len(segments)-2]
}

type command struct {
	operation, name string
}

// parse reads a call. It only checks that the body is a JSON object if the operation has one, and that it does not contain
// "wrong".
func (s *Service) parse(c *gin.Context, op operation.Operation) (command, error) {
	read := command{operation: op.Name, name: nameIn(c.Request.URL.Path)}
	if op.BodyIgnored {
		return read, nil
	}
	body := web.ReadBody(c)
	body.OptionalString("wrong", invalid.Text{Max: 1})
	return read, body.Err()
}

// addEffect makes an effect, or finds the one that the same call has had in steps.
const addEffect = `-- name: AddEffect
with found as (
	select effect_id from effects where $4 and seller_id = $1 and operation = $2 and name = $3
), added as (
	insert into effects (seller_id, operation, name)
	select $1, $2, $3 where not exists (select from found)
	returning effect_id
)
select effect_id from found union all select effect_id from added`

type rower interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func (s *Service) run(ctx context.Context, db rower, c command) (any, error) {
	var id int64
	seller := principal.MustFromContext(ctx).SellerID
	err := db.QueryRow(ctx, addEffect, seller, c.operation, c.name, s.options.Steps).Scan(&id)
	if err != nil {
		return nil, err
	}
	if err := refused(c.name); err != nil {
		return nil, err
	}
	s.options.At(BeforeCommit, c.name)
	answer := map[string]any{"effect": id, "operation": c.operation}
	if c.name == Big {
		answer["text"] = strings.Repeat("0123456789", BigBytes/10)
	}
	return answer, nil
}

type watched struct {
	http.ResponseWriter
	about func()
	once  sync.Once
}

// WriteHeader implements http.ResponseWriter.
func (w *watched) WriteHeader(status int) {
	w.once.Do(w.about)
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *watched) Write(body []byte) (int, error) {
	w.once.Do(w.about)
	return w.ResponseWriter.Write(body)
}
