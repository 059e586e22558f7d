package app

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/console/internal/pages"
	"sellerapi.dev/services/console/internal/person"
	"sellerapi.dev/services/console/internal/session"
)

// visitor is who has signed in, and for which seller.
type visitor struct {
	session.Signed

	seller uuid.UUID // uuid.Nil before a choice
	role   person.Role
}

// actor is how the gateway's audit trail names the person.
func (v *visitor) actor() string { return v.Person.Actor(v.role) }

// sellerID is the chosen seller as the gateway writes it.
func (v *visitor) sellerID() string { return v.seller.String() }

// isFresh reports whether the provider authenticated the person a short time ago.
func (v *visitor) isFresh(within time.Duration) bool {
	return !v.Authenticated.IsZero() && time.Since(v.Authenticated) <= within
}

// serve returns the handler of a row of the table of routes: it runs for those who may.
func (a *App) serve(row route) gin.HandlerFunc {
	if row.handle == nil {
		return gin.WrapH(pages.Assets())
	}
	return func(c *gin.Context) {
		ctx := actor.NewContext(c.Request.Context(), actor.Actor{RequestID: web.RequestID(c.Request.Context())})
		r := &request{Context: c, ctx: ctx}
		answer, err := a.admitted(row, r)
		if err != nil {
			answer = a.failure(r, err)
		}
		a.answer(r, answer)
	}
}

// admitted answers a request, if the row lets the person of its session pass.
func (a *App) admitted(row route, r *request) (reply, error) {
	if err := a.identify(r); err != nil && row.Access != anyone {
		return reply{}, err
	}
	switch {
	case row.Access == anyone:
	case r.who == nil:
		return a.askToSignIn(r)
	case !r.who.Person.HasRole() && (row.Method == http.MethodGet || row.Access == ofSeller):
		return a.askForOtherPerson()
	case row.Access == ofSeller && r.who.seller == uuid.Nil:
		return a.askForSeller(r)
	case row.Access == ofSeller && !row.allows(r.who.role):
		return reply{status: http.StatusForbidden, page: pages.NoRight{Need: pages.Role(row.need())}}, nil
	}
	if err := r.read(); err != nil {
		return reply{}, err
	}
	return row.handle(a, r)
}

// identify loads the session of a request and finds out whose it is.
func (a *App) identify(r *request) error {
	ctx, err := a.Sessions.Load(r.Request)
	if err != nil {
		return fmt.Errorf("%w: %w", errSessions, err)
	}
	r.ctx = actor.NewContext(ctx, actor.Of(r.ctx))
	r.flow = true
	signed, in, err := a.Sessions.SignedIn(r.ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", errSessions, err)
	}
	if in {
		r.who = &visitor{Signed: signed}
		r.who.seller = a.chosen(r)
		r.who.role = r.who.Person.For(r.who.seller)
	}
	return nil
}

// chosen returns the seller that the browser has chosen, if the person has a role for it; else the only one there is.
func (a *App) chosen(r *request) uuid.UUID {
	if text, err := r.Cookie(a.cookieName(sellerCookie)); err == nil {
		if seller, err := uuid.Parse(text); err == nil && seller != uuid.Nil && r.who.Person.For(seller) != "" {
			return seller
		}
	}
	if sellers := r.who.Person.Sellers(); len(sellers) == 1 && !r.who.Person.Support {
		return sellers[0]
	}
	return uuid.Nil
}

// askToSignIn sends a reader to the sign-in page. What a form would have changed is lost, so its sender is told.
func (a *App) askToSignIn(r *request) (reply, error) {
	if r.Request.Method == http.MethodGet {
		return redirect(withNext(pages.SignInPath, r.here())), nil
	}
	return reply{status: http.StatusUnauthorized, page: pages.SignIn{
		Start: withNext(StartPath, pages.HomePath), Why: pages.SignInExpired,
	}}, nil
}

// askForOtherPerson is the page of a person without a role, who may sign in as another one.
func (a *App) askForOtherPerson() (reply, error) {
	page := pages.SignIn{Start: freshStart(pages.HomePath), Why: pages.SignInNoRole}
	return reply{status: http.StatusForbidden, page: page}, nil
}

// askForSeller sends a reader to the choice of a seller.
func (a *App) askForSeller(r *request) (reply, error) {
	next := pages.HomePath
	if r.Request.Method == http.MethodGet {
		next = r.here()
	}
	return redirect(withNext(pages.SellerPath, next)), nil
}

// maxListed is the most sellers among which pages let a person choose; of more, as for support, the ID is typed.
const maxListed = 100

// frame returns what every page of a request has.
func (a *App) frame(r *request) pages.Frame {
	frame := pages.Frame{Language: a.language(r), Path: r.back(), Docs: a.Docs, Notice: a.takeNotice(r)}
	if r.who == nil {
		return frame
	}
	frame.Person = pages.Person{Name: r.who.Person.Name, Role: pages.Role(r.who.role)}
	if sellers := r.who.Person.Sellers(); !r.who.Person.Support && len(sellers) <= maxListed {
		for _, seller := range sellers {
			frame.Sellers = append(frame.Sellers, pages.Seller{ID: seller.String(), Name: r.who.Person.Names[seller]})
		}
		slices.SortStableFunc(frame.Sellers, func(a, b pages.Seller) int { return cmp.Compare(a.Name, b.Name) })
	}
	if r.who.seller != uuid.Nil {
		frame.Seller = pages.Seller{ID: r.who.sellerID(), Name: r.who.Person.Names[r.who.seller]}
	}
	return frame
}
