package app

import (
	"net/http"
	"slices"

	"sellerapi.dev/services/console/internal/pages"
	"sellerapi.dev/services/console/internal/person"
)

// access says who may use a page.
type access int

const (
	// anyone: it needs no session.
	anyone access = iota
	// signedIn: it needs a person with any role.
	signedIn
	// ofSeller: it needs a chosen seller, and a role of the row for it.
	ofSeller
)

// route is a row of the table of routes.
type route struct {
	Method, Path string
	Access       access
	// Roles may use it if it is of a seller.
	Roles  []person.Role
	handle handler
}

type handler func(*App, *request) (reply, error)

func may(roles ...person.Role) []person.Role { return roles }

// routes is the table of all addresses and of who may use them.
func routes() []route {
	const rep, dev, sup = person.Representative, person.Developer, person.Support
	get, post := http.MethodGet, http.MethodPost
	return []route{
		{get, pages.AssetsPath + "*file", anyone, nil, nil},
		{get, pages.SignInPath, anyone, nil, (*App).signInPage},
		{get, StartPath, anyone, nil, (*App).startSignIn},
		{get, CallbackPath, anyone, nil, (*App).finishSignIn},
		{post, pages.LanguagePath, anyone, nil, (*App).chooseLanguage},

		{get, pages.HomePath, signedIn, nil, (*App).home},
		{post, pages.SignOutPath, signedIn, nil, (*App).signOut},
		{post, pages.EndAllPath, signedIn, nil, (*App).signOutEverywhere},
		{get, pages.SellerPath, signedIn, nil, (*App).sellers},
		{post, pages.SellerPath, signedIn, nil, (*App).chooseSeller},

		{get, pages.KeysPath, ofSeller, may(rep, sup), (*App).keys},
		{get, pages.NewKeyPath, ofSeller, may(rep), (*App).keyForm},
		{post, pages.KeysPath, ofSeller, may(rep), (*App).issueKey},
		{post, keyPath + "/reveal", ofSeller, may(rep), (*App).revealKey},
		{get, keyPath + "/revoke", ofSeller, may(rep), (*App).revokeForm},
		{post, keyPath + "/revoke", ofSeller, may(rep), (*App).revokeKey},
		{get, keyPath + "/rotation", ofSeller, may(rep), (*App).rotation},

		{get, pages.RequestsPath, ofSeller, may(rep, dev, sup), (*App).requests},
		{get, pages.RequestsPath + "/:call", ofSeller, may(rep, dev, sup), (*App).call},
		{get, pages.UsagePath, ofSeller, may(rep, dev, sup), (*App).usage},
		{get, pages.GoLivePath, ofSeller, may(rep, dev, sup), (*App).goLive},

		{get, pages.WebhooksPath, ofSeller, may(rep, dev, sup), (*App).webhooks},
		{post, pages.WebhooksPath, ofSeller, may(rep), (*App).addWebhook},
		{get, webhookPath, ofSeller, may(rep, dev, sup), (*App).webhook},
		{get, webhookPath + "/remove", ofSeller, may(rep), (*App).removeForm},
		{post, webhookPath + "/remove", ofSeller, may(rep), (*App).removeWebhook},
		{post, webhookPath + "/rotate", ofSeller, may(rep), (*App).rotateSecret},
		{post, webhookPath + "/test", ofSeller, may(rep), (*App).testWebhook},
		{post, webhookPath + "/pause", ofSeller, may(rep), (*App).pauseWebhook},
		{post, webhookPath + "/resume", ofSeller, may(rep), (*App).resumeWebhook},
	}
}

const (
	// StartPath sends a browser to the provider.
	StartPath = pages.SignInPath + "/start"
	// CallbackPath is where the provider sends it back to.
	CallbackPath = pages.SignInPath + "/callback"
	// SignedOutPath is where the provider sends browsers to whose person it has signed out.
	SignedOutPath = pages.SignInPath

	keyPath     = pages.KeysPath + "/:key"
	webhookPath = pages.WebhooksPath + "/:webhook"
)

// allows reports whether a role may use the page.
func (r *route) allows(role person.Role) bool { return slices.Contains(r.Roles, role) }

// need returns the role that a person lacks who may not use the page: the least that may.
func (r *route) need() person.Role { return r.Roles[len(r.Roles)-1] }

// Row is a row of the table of routes, for documents and tests.
type Row struct {
	Method, Path string
	// Access is "anyone", "signed in" or "seller": a person with one of the roles for the chosen seller.
	Access string
	Roles  []string
}

// Rows returns the table of routes.
func Rows() []Row {
	names := map[access]string{anyone: "anyone", signedIn: "signed in", ofSeller: "seller"}
	all := routes()
	rows := make([]Row, len(all))
	for i, row := range all {
		rows[i] = Row{Method: row.Method, Path: row.Path, Access: names[row.Access]}
		for _, role := range row.Roles {
			rows[i].Roles = append(rows[i].Roles, string(role))
		}
	}
	return rows
}
