package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"

	"sellerapi.dev/pkg/apierr"
)

//go:embed templates
var templates embed.FS

// about is what the frame says about a page.
type about struct {
	template string // the name of its file
	title    Word
	menu     string // the path of its entry in the menu
	secret   bool   // the page leaves by itself
	chart    bool
	print    bool
}

// The pages, in the order of the views.
func (SignIn) about() about  { return about{template: "signin", title: "signin.title"} }
func (Sellers) about() about { return about{template: "sellers", title: "sellers.title"} }
func (Keys) about() about    { return about{template: "keys", title: "keys.title", menu: KeysPath} }
func (KeyForm) about() about {
	return about{template: "keyform", title: "keyform.title", menu: KeysPath}
}

func (Revoke) about() about { return about{template: "revoke", title: "revoke.title", menu: KeysPath} }

func (Rotation) about() about {
	return about{template: "rotation", title: "rotation.title", menu: KeysPath}
}

func (Requests) about() about {
	return about{template: "requests", title: "requests.title", menu: RequestsPath}
}

func (Request) about() about {
	return about{template: "request", title: "request.title", menu: RequestsPath}
}

func (Unlogged) about() about {
	return about{template: "unlogged", title: "unlogged.title", menu: RequestsPath}
}

func (Webhooks) about() about {
	return about{template: "webhooks", title: "webhooks.title", menu: WebhooksPath}
}

func (Deliveries) about() about {
	return about{template: "deliveries", title: "deliveries.title", menu: WebhooksPath}
}

func (WebhookRemove) about() about {
	return about{template: "remove", title: "remove.title", menu: WebhooksPath}
}
func (Failed) about() about   { return about{template: "failed", title: "failed.title"} }
func (NoRight) about() about  { return about{template: "noright", title: "noright.title"} }
func (NotFound) about() about { return about{template: "notfound", title: "notfound.title"} }
func (TooMuch) about() about {
	return about{template: "toomuch", title: "toomuch.title", menu: RequestsPath}
}

func (Usage) about() about {
	return about{template: "usage", title: "usage.title", menu: UsagePath, chart: true}
}

func (GoLive) about() about {
	return about{template: "golive", title: "golive.title", menu: GoLivePath, print: true}
}

func (k KeyText) about() about {
	title := Word("keytext.shown")
	if k.Issued {
		title = "keytext.issued"
	}
	return about{template: "keytext", title: title, menu: KeysPath, secret: true}
}

func (WebhookSecret) about() about {
	return about{template: "secret", title: "secret.title", menu: WebhooksPath, secret: true}
}

// content is what templates are executed with.
type content struct {
	Frame  Frame
	View   Page
	Title  Word
	Menu   string
	Chart  bool
	Print  bool
	Leaves string // where a page with a secret leaves to
	Assets assetPaths
}

var parsed = map[apierr.Lang]map[string]*template.Template{
	apierr.English: parse(apierr.English), apierr.Korean: parse(apierr.Korean),
}

// parse reads every page in a language; that they can be read is known when the program starts.
func parse(lang apierr.Lang) map[string]*template.Template {
	layout := template.Must(template.New("layout.html").Funcs(functions(lang)).
		ParseFS(templates, "templates/layout.html", "templates/parts.html"))
	all := map[string]*template.Template{}
	for _, page := range allPages {
		name := page.about().template
		all[name] = template.Must(template.Must(layout.Clone()).ParseFS(templates, "templates/"+name+".html"))
	}
	return all
}

// allPages has one of every page.
var allPages = []Page{
	SignIn{},
	Sellers{},
	Keys{},
	KeyForm{},
	KeyText{},
	Revoke{},
	Rotation{},
	Requests{},
	Request{},
	Usage{},
	Webhooks{},
	WebhookSecret{},
	Deliveries{},
	WebhookRemove{},
	GoLive{},
	Failed{},
	NoRight{},
	NotFound{},
	Unlogged{},
	TooMuch{},
}

// Render writes a page. Nothing is written if it fails.
func Render(w io.Writer, f Frame, view Page) error {
	a := view.about()
	c := content{Frame: f, View: view, Title: a.title, Menu: a.menu, Chart: a.chart, Print: a.print, Assets: files.paths}
	if a.secret {
		c.Leaves = a.menu
	}
	var text bytes.Buffer
	if err := parsed[f.Language][a.template].Execute(&text, c); err != nil {
		return fmt.Errorf("render the page %s: %w", a.template, err)
	}
	if _, err := text.WriteTo(w); err != nil {
		return fmt.Errorf("write the page %s: %w", a.template, err)
	}
	return nil
}
