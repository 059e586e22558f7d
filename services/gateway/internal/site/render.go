package site

import (
	"bytes"
	_ "embed" // the layout
	"html/template"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/precompressed"
)

var (
	//go:embed layout.html
	layoutText string
	//go:embed site.css
	styleSheet []byte
	//go:embed site.js
	script []byte

	layout = template.Must(template.New("layout").Parse(layoutText))
)

type view struct {
	Lang, Title, Path, Style, Script, Index string
	Languages                               []choice
	Menu                                    []choice
	Words                                   map[string]string
	// One of these is the content.
	Body   template.HTML
	Front  []choice
	Codes  []codeRow
	Code   *codePage
	Facts  []fact
	Status bool
}

type choice struct {
	Lang, Path, Title, About string
	Current                  bool
}

type codeRow struct {
	Path, Code, Message string
	HTTP                int
}

type build struct {
	lang   apierr.Lang
	assets assets
	pages  map[string]precompressed.Content // by slug
	index  []entry
}

// assets are the paths of the files that pages name.
type assets struct{ style, script, index string }

func (b *build) all(settings Settings) error {
	b.add("", view{Title: "Seller Open API", Front: b.menu("")})
	for _, page := range pages {
		if page.made {
			continue
		}
		text, err := guide(b.lang, page.slug)
		if err != nil {
			return err
		}
		b.add(page.slug, view{Title: text.title, Body: withKey(b.lang, page.slug, text.body, settings)})
		b.indexGuide(page.slug, text)
	}
	b.add("status", view{Title: page{}.titleOf("status", b.lang), Status: true, Facts: settings.facts(b.lang)})
	b.indexFacts(settings.facts(b.lang))
	return b.codes()
}

func (b *build) codes() error {
	list, err := codes()
	if err != nil {
		return err
	}
	said, err := advice(b.lang)
	if err != nil {
		return err
	}
	rows := make([]codeRow, 0, len(list))
	for i := range list {
		content, err := list[i].page(b.lang, said[list[i].name()])
		if err != nil {
			return err
		}
		b.add("errors/"+content.Code, view{Title: content.Code, Code: &content})
		b.indexCode(content)
		rows = append(rows, codeRow{
			Path: at(b.lang, "errors/"+content.Code), Code: content.Code, HTTP: list[i].row.Status,
			Message: content.Message,
		})
	}
	b.add("errors", view{Title: page{}.titleOf("errors", b.lang), Codes: rows})
	return nil
}

func (page) titleOf(slug string, lang apierr.Lang) string {
	for _, row := range pages {
		if row.slug == slug {
			return row.title.In(lang)
		}
	}
	return ""
}

func (b *build) menu(current string) []choice {
	current, _, _ = strings.Cut(current, "/") // the pages of codes belong to that of all
	list := make([]choice, 0, len(pages)+1)
	for _, row := range pages {
		list = append(list, choice{
			Path: at(b.lang, row.slug), Title: row.title.In(b.lang), About: row.about.In(b.lang),
			Current: row.slug == current,
		})
	}
	return append(list, choice{Path: at(b.lang, "reference"), Title: words.reference.In(b.lang), About: apierr.Phrase{
		English: "Every operation and field, to try out.", Korean: "모든 기능과 필드, 직접 호출해 보기.",
	}.In(b.lang)})
}

// add fills the layout. It fails for no page: the layout is part of the program, and a test has seen all.
func (b *build) add(slug string, content view) {
	content.Lang, content.Path = b.lang.String(), at(b.lang, slug)
	content.Style, content.Script, content.Index = b.assets.style, b.assets.script, b.assets.index
	content.Menu, content.Words = b.menu(slug), said(b.lang)
	for _, lang := range languages {
		name := apierr.Phrase{English: "English", Korean: "한국어"}.In(lang)
		content.Languages = append(content.Languages, choice{
			Lang: lang.String(), Path: at(lang, slug), Title: name,
			Current: lang == b.lang,
		})
	}
	var text bytes.Buffer
	if err := layout.Execute(&text, content); err != nil {
		panic(err)
	}
	b.pages[slug] = precompressed.New(text.Bytes())
}

func said(lang apierr.Lang) map[string]string {
	texts := make(map[string]string, len(layoutWords))
	for name, phrase := range layoutWords {
		texts[name] = phrase.In(lang)
	}
	return texts
}
