package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/console/internal/pages"
	"sellerapi.dev/services/console/internal/signin"
)

const policy = pages.Policy

// reply is the response to a request: a page, or the address of one.
type reply struct {
	status int // of a page; 0 stands for 200
	page   pages.Page
	to     string
	notice string // shown once on the page that the reply leads to
	// leave is where a page with a secret leaves to by itself.
	leave string
	// goesOn is the address to which a browser goes on from the page at once; empty: it stays.
	goesOn string
}

func show(page pages.Page) (reply, error) { return reply{page: page}, nil }

func redirect(to string) reply { return reply{to: to} }

// done leads to a page, which says what was done.
func done(to, notice string) (reply, error) { return reply{to: to, notice: notice}, nil }

// secretShown is for how long a page shows a secret.
const secretShown = time.Minute

// answer writes a reply. The session is saved first, so that nobody is told what is not so.
func (a *App) answer(r *request, answer reply) {
	if r.flow {
		if err := a.Sessions.Save(r.ctx, r.Writer); err != nil {
			answer = a.failed(r.ctx, http.StatusServiceUnavailable, pages.PartSessions, err)
		}
	}
	if answer.notice != "" {
		a.setCookie(r, noticeCookie, answer.notice, noticeLife)
	}
	r.Writer.Header().Set("Cache-Control", "no-store")
	if answer.to != "" {
		r.Redirect(http.StatusSeeOther, answer.to)
		return
	}
	var text bytes.Buffer
	if err := pages.Render(&text, a.frame(r), answer.page); err != nil {
		a.log.ErrorContext(r.ctx, "page cannot be rendered", slog.Any("error", err))
		r.String(http.StatusInternalServerError, "The page cannot be shown: %s\n", web.RequestID(r.ctx))
		return
	}
	if answer.leave != "" {
		r.Header("Refresh", strconv.Itoa(int(secretShown.Seconds()))+"; url="+answer.leave)
	}
	if answer.goesOn != "" {
		r.Header("Refresh", "0; url="+answer.goesOn)
	}
	r.Data(max(answer.status, http.StatusOK), "text/html; charset=utf-8", text.Bytes())
}

// errSessions says that Redis, which has the sessions, cannot be used.
var errSessions = errors.New("sessions cannot be read")

// errNoPage is for an id that is none: it names nothing.
var errNoPage = errors.New("no such page")

// errUnreadable is for a query or a form that no page of the console sends: it is too long, broken, or not in UTF-8.
var errUnreadable = errors.New("the request cannot be read")

func noPage(*App, *request) (reply, error) { return reply{}, errNoPage }

// failure returns the page for an error. What the gateway says of a seller's own input is shown by the handler of its form.
func (a *App) failure(r *request, err error) reply {
	code := connect.CodeOf(err)
	switch {
	case errors.Is(err, errNoPage), isGatewayCode(err, connect.CodeNotFound):
		return reply{status: http.StatusNotFound, page: pages.NotFound{}}
	case errors.Is(err, errUnreadable):
		return a.failed(r.ctx, unreadableStatus(err), pages.PartRequest, err)
	case errors.Is(err, errSessions):
		return a.failed(r.ctx, http.StatusServiceUnavailable, pages.PartSessions, err)
	case errors.Is(err, signin.ErrProvider):
		return a.failed(r.ctx, http.StatusServiceUnavailable, pages.PartProvider, err)
	case isGatewayCode(err, connect.CodeUnimplemented):
		return reply{page: pages.Unlogged{}}
	case code == connect.CodeUnavailable, code == connect.CodeDeadlineExceeded, errors.Is(err, apierr.Unavailable),
		errors.Is(err, apierr.UpstreamTimeout):
		return a.failed(r.ctx, http.StatusServiceUnavailable, pages.PartGateway, err)
	default:
		return a.failed(r.ctx, http.StatusInternalServerError, pages.PartConsole, err)
	}
}

func unreadableStatus(err error) int {
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// isGatewayCode reports whether the gateway refused a call with a code of its own.
func isGatewayCode(err error, code connect.Code) bool {
	return err != nil && connect.CodeOf(err) == code
}

// failed logs a failure and returns its page.
func (a *App) failed(ctx context.Context, status int, part pages.Word, err error) reply {
	level := slog.LevelError
	if status < http.StatusInternalServerError || ctx.Err() != nil { // of the latter the browser has gone
		level = slog.LevelWarn
	}
	a.log.LogAttrs(ctx, level, "request failed", slog.String("request_id", web.RequestID(ctx)), slog.Any("error", err))
	return reply{status: status, page: pages.Failed{Part: part, RequestID: web.RequestID(ctx)}}
}
