package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/console/internal/pages"
	"sellerapi.dev/services/console/internal/person"
	"sellerapi.dev/services/console/internal/signin"
)

const (
	fieldFresh = "fresh"
	fieldWhy   = "why"
)

// signInPage is the page of people who have not signed in. It has a link to the provider, and no redirection to it: a browser
// would not follow one from a form. For the same reason a person who has signed out goes on to the provider from here.
func (a *App) signInPage(r *request) (reply, error) {
	why := r.Query(fieldWhy)
	page := pages.SignIn{Start: withNext(StartPath, signin.ReturnPath(r.Query(pages.FieldNext))), Why: whys[why]}
	switch {
	case signin.SignedOut(r.Request.URL.Query()):
		page.Why = pages.SignInEnded
	case why == whyEnded:
		page.SignOut = a.Provider.SignOut(r.ctx)
	}
	return reply{page: page, goesOn: page.SignOut}, nil
}

// startSignIn sends the browser to the provider.
func (a *App) startSignIn(r *request) (reply, error) {
	attempt, address, err := a.Provider.Begin(r.ctx, signin.ReturnPath(r.Query(pages.FieldNext)), r.Query(fieldFresh) != "",
		a.language(r).String())
	if err != nil {
		return reply{}, err
	}
	if err := a.Sessions.Begin(r.ctx, r.Writer, attempt); err != nil {
		return reply{}, fmt.Errorf("%w: %w", errSessions, err)
	}
	return redirect(address), nil
}

// finishSignIn signs in whom the provider has authenticated. The code in the address is of no use any more when the response is
// sent, and leaves the address with the redirection.
func (a *App) finishSignIn(r *request) (reply, error) {
	if !r.flow {
		return reply{}, errSessions
	}
	attempt, err := a.Sessions.TakeAttempt(r.ctx, r.Writer, r.Request)
	if err != nil {
		return reply{}, fmt.Errorf("%w: %w", errSessions, err)
	}
	result, err := a.Provider.Finish(r.ctx, attempt, r.Request.URL.Query())
	if err != nil {
		return a.notSignedIn(r, err)
	}
	if err := a.Sessions.SignIn(r.ctx, result); err != nil {
		return reply{}, errors.Join(errSessions, err)
	}
	a.log.InfoContext(r.ctx, "signed in", slog.String("subject", result.Person.Subject), slog.Bool("fresh", attempt.Fresh),
		slog.Int("ignored_roles", result.Person.Ignored))
	return redirect(attempt.Return), nil
}

func (a *App) notSignedIn(r *request, err error) (reply, error) {
	if errors.Is(err, signin.ErrProvider) {
		return reply{}, err
	}
	a.log.WarnContext(r.ctx, "not signed in", slog.Any("error", err))
	return redirect(pages.SignInPath + "?" + url.Values{fieldWhy: {whyRefused}}.Encode()), nil
}

func (a *App) signOut(r *request) (reply, error) {
	if err := a.Sessions.SignOut(r.ctx); err != nil {
		return reply{}, errors.Join(errSessions, err)
	}
	return a.signedOut(r), nil
}

func (a *App) signOutEverywhere(r *request) (reply, error) {
	if err := a.Sessions.SignOutEverywhere(r.ctx, r.who.Person); err != nil {
		return reply{}, errors.Join(errSessions, err)
	}
	return a.signedOut(r), nil
}

func (a *App) signedOut(r *request) reply {
	a.setCookie(r, sellerCookie, "", 0)
	return redirect(pages.SignInPath + "?" + url.Values{fieldWhy: {whyEnded}}.Encode())
}

// home leads to the page that a role begins with.
func (a *App) home(r *request) (reply, error) {
	switch {
	case r.who.seller == uuid.Nil:
		return a.askForSeller(r)
	case r.who.role == "representative":
		return redirect(pages.KeysPath), nil
	default:
		return redirect(pages.RequestsPath), nil
	}
}

func (a *App) sellers(r *request) (reply, error) {
	return show(pages.Sellers{Next: signin.ReturnPath(r.Query(pages.FieldNext))})
}

// chooseSeller keeps the choice of a seller. One for which the person has no role does not exist for the person.
func (a *App) chooseSeller(r *request) (reply, error) {
	next := signin.ReturnPath(r.form(pages.FieldNext))
	if id := strings.TrimSpace(r.form(pages.FieldCall)); id != "" && r.who.Person.Support {
		return a.findCall(r, id, next)
	}
	text := strings.TrimSpace(r.form(pages.FieldSeller))
	seller, err := uuid.Parse(text)
	known := err == nil && seller != uuid.Nil
	if !known && r.who.Person.Support {
		view := pages.Sellers{Next: next, Seller: text, SellerProblem: pages.Problem{Word: pages.SellerMalformed}}
		return reply{status: http.StatusUnprocessableEntity, page: view}, nil
	}
	if !known || r.who.Person.For(seller) == "" {
		return reply{}, errNoPage
	}
	a.setCookie(r, sellerCookie, seller.String(), choiceLife)
	return redirect(next), nil
}

// findCall leads support to the call of a request id, and chooses its seller.
func (a *App) findCall(r *request, id, next string) (reply, error) {
	answer, err := a.Requests.FindRequest(r.ctx, &gatewayv1.FindRequestRequest{
		RequestId: id, Actor: r.who.Person.Actor(person.Support),
	})
	_, isInvalid := invalid(err)
	switch {
	case isInvalid, isGatewayCode(err, connect.CodeNotFound):
		view := pages.Sellers{Next: next, Call: id, CallProblem: pages.Problem{Word: pages.CallUnknown}}
		return reply{status: http.StatusNotFound, page: view}, nil
	case err != nil:
		return reply{}, err
	}
	a.setCookie(r, sellerCookie, answer.GetSellerId(), choiceLife)
	return redirect(pages.RequestPath(answer.GetRequest().GetLogId())), nil
}

func (a *App) chooseLanguage(r *request) (reply, error) {
	language := r.form(pages.FieldLanguage)
	if language != "ko" && language != "en" {
		return reply{}, errNoPage
	}
	a.setCookie(r, languageCookie, language, choiceLife)
	return redirect(signin.ReturnPath(r.form(pages.FieldNext))), nil
}

// askForFreshSignIn is the page of what needs a sign-in of the last minutes.
func (a *App) askForFreshSignIn(next string) (reply, error) {
	return reply{status: http.StatusForbidden, page: pages.SignIn{Start: freshStart(next), Why: pages.SignInFresh}}, nil
}

func freshStart(next string) string {
	return StartPath + "?" + url.Values{pages.FieldNext: {next}, fieldFresh: {"1"}}.Encode()
}
