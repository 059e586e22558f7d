package app

import (
	"net/http"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/console/internal/pages"
)

// The cookies besides that of the session. None of them gives a right.
const (
	// sellerCookie has the chosen seller; the roles of the person are checked with every request.
	sellerCookie = "seller"
	// languageCookie has the chosen language.
	languageCookie = "language"
	// noticeCookie has the name of what was done last, for one page.
	noticeCookie = "notice"
)

const (
	choiceLife = 365 * 24 * time.Hour
	noticeLife = time.Minute
)

func (a *App) cookieName(name string) string {
	if a.Origin.Secure {
		return "__Host-console-" + name
	}
	return "console-" + name
}

// setCookie sets a cookie; one without life is deleted.
func (a *App) setCookie(r *request, name, value string, life time.Duration) {
	cookie := &http.Cookie{
		Name: a.cookieName(name), Value: value, Path: "/", MaxAge: int(life.Seconds()), Secure: a.Origin.Secure, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	}
	if life <= 0 {
		cookie.MaxAge = -1
	}
	http.SetCookie(r.Writer, cookie)
}

// language returns the chosen language, else that of the browser.
func (a *App) language(r *request) apierr.Lang {
	switch chosen, _ := r.Cookie(a.cookieName(languageCookie)); chosen {
	case apierr.Korean.String():
		return apierr.Korean
	case apierr.English.String():
		return apierr.English
	default:
		return apierr.ParseAcceptLanguage(r.GetHeader("Accept-Language"))
	}
}

// takeNotice returns what was done last, once.
func (a *App) takeNotice(r *request) *pages.Notice {
	text, err := r.Cookie(a.cookieName(noticeCookie))
	if err != nil {
		return nil
	}
	a.setCookie(r, noticeCookie, "", 0)
	return readNotice(text)
}
