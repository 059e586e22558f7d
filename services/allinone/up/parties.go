package up

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/allinone/rundir"
)

const (
	partiesName = "sellers.json"
	// actor is the issuer of the keys in the audit trail; purpose distinguishes these keys from other keys of the same sellers.
	actor   = "make up"
	purpose = "make up"
)

type party struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Key  string `json:"key"`
}

type parties struct {
	A party `json:"a"`
	B party `json:"b"`
}

// people returns those who may sign in to the console: one of each role.
func (p parties) people() []identity.Person {
	people := []identity.Person{
		{
			Subject: "kim", Name: "김서연", Roles: []string{"representative:" + p.A.ID},
			About: apierr.Phrase{English: "Representative of %s", Korean: "%s 대표 담당자"}.With(p.A.Name),
		},
		{
			Subject: "lee", Name: "이준호", Roles: []string{"developer:" + p.A.ID, "developer:" + p.B.ID},
			About: apierr.Phrase{English: "Developer of %s and %s", Korean: "%s·%s 개발자"}.With(p.A.Name, p.B.Name),
		},
		{
			Subject: "park", Name: "박지우", Roles: []string{"support"},
			About: apierr.Phrase{English: "Support of the marketplace", Korean: "마켓플레이스 고객 지원"},
		},
	}
	for i := range people {
		people[i].Sellers = map[string]string{p.A.ID: p.A.Name, p.B.ID: p.B.Name}
	}
	return people
}

// marketplace is the marketplace's side of the services: it registers sellers, issues keys and places orders.
type marketplace struct {
	keys    gatewayv1connect.KeysClient
	intake  ordersv1connect.IntakeClient
	claims  claimsv1connect.IntakeClient
	qna     qnav1connect.IntakeClient
	gateway string
}

// parties returns the two sellers, registered and with keys that work. They are those of an earlier start if there was one.
func (d *marketplace) parties(ctx context.Context, dir rundir.Dir) (parties, error) {
	known := parties{
		A: party{ID: uuid.NewString(), Name: "달빛상회"}, B: party{ID: uuid.NewString(), Name: "바른농원"},
	}
	if err := dir.ReadJSON(partiesName, &known); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return parties{}, err
	}
	for _, one := range []*party{&known.A, &known.B} {
		if err := d.admit(ctx, one); err != nil {
			return parties{}, fmt.Errorf("seller %s: %w", one.Name, err)
		}
	}
	return known, dir.WriteJSON(partiesName, known)
}

func (d *marketplace) admit(ctx context.Context, one *party) error {
	if err := d.register(ctx, one.ID, one.Name); err != nil {
		return err
	}
	works, err := d.works(ctx, one.Key)
	if err != nil || works {
		return err
	}
	if err := d.revokeLost(ctx, one.ID); err != nil {
		return err
	}
	request := &gatewayv1.IssueKeyRequest{SellerId: one.ID, Purpose: purpose, Actor: actor, RequestId: uuid.NewString()}
	for _, scope := range append(principal.All(), principal.Sandbox) {
		request.Scopes = append(request.Scopes, string(scope))
	}
	answer, err := d.keys.IssueKey(ctx, request)
	if err != nil {
		return fmt.Errorf("issue a key: %w", err)
	}
	one.Key = answer.GetText()
	return nil
}

func (d *marketplace) register(ctx context.Context, id, name string) error {
	_, err := d.keys.RegisterSeller(ctx, &gatewayv1.RegisterSellerRequest{SellerId: id, Name: name, Actor: actor})
	if err != nil {
		return fmt.Errorf("register: %w", err)
	}
	return nil
}

func (d *marketplace) works(ctx context.Context, key string) (bool, error) {
	if key == "" {
		return false, nil
	}
	_, err := d.newestOrder(ctx, key)
	if errors.Is(err, errKeyRefused) {
		return false, nil
	}
	return err == nil, err
}

// revokeLost revokes keys that an earlier stack issued and whose texts are lost, so that they do not count towards the
// number of keys that a seller may have.
func (d *marketplace) revokeLost(ctx context.Context, sellerID string) error {
	answer, err := d.keys.ListKeys(ctx, &gatewayv1.ListKeysRequest{SellerId: sellerID, Actor: actor})
	if err != nil {
		return fmt.Errorf("list the keys: %w", err)
	}
	for _, key := range answer.GetKeys() {
		if key.GetState() != gatewayv1.KeyState_KEY_STATE_ACTIVE || key.GetPurpose() != purpose {
			continue
		}
		_, err := d.keys.RevokeKey(ctx, &gatewayv1.RevokeKeyRequest{
			SellerId: sellerID, KeyId: key.GetKeyId(), Actor: actor, Reason: "its text is lost",
		})
		if err != nil {
			return fmt.Errorf("revoke a lost key: %w", err)
		}
	}
	return nil
}

// errKeyRefused is returned when the gateway does not accept a key, errBusy when it answers 503.
var (
	errKeyRefused = errors.New("the gateway refuses the key")
	errBusy       = errors.New("the machine is too busy")
)

const (
	busyTimeout = 30 * time.Second
	busyPause   = time.Second
)

// newestOrder returns the number of a seller's newest order, read through the public interface, or "" when it has none. It
// retries while the gateway is too busy.
func (d *marketplace) newestOrder(ctx context.Context, key string) (string, error) {
	for until := time.Now().Add(busyTimeout); ; {
		newest, err := d.askForNewest(ctx, key)
		if !errors.Is(err, errBusy) || time.Now().After(until) {
			return newest, err
		}
		select {
		case <-ctx.Done():
			return "", err
		case <-time.After(busyPause):
		}
	}
}

func (d *marketplace) askForNewest(ctx context.Context, key string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.gateway+"/open/v1/orders?limit=1", nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("X-Api-Key", key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", fmt.Errorf("call the gateway: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
		return firstOrderNo(response.Body)
	case http.StatusUnauthorized:
		return "", errKeyRefused
	default:
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1000))
		err := fmt.Errorf("the gateway responded with %d: %s", response.StatusCode, body)
		if response.StatusCode == http.StatusServiceUnavailable {
			err = fmt.Errorf("%w: %w", errBusy, err)
		}
		return "", err
	}
}
