package render

import (
	"bytes"
	_ "embed" // the layout
	"html/template"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/proto/openapi/site"
)

var (
	//go:embed layout.html
	layoutText string

	layout = template.Must(template.New("layout").Parse(layoutText))
)

type view struct {
	Lang, Title, Path, Index string
	Assets                   site.Assets
	Languages                []choice
	Menu                     []choice
	Words                    map[string]string
	// Settings says that the page shows settings of the installation.
	Settings bool
	// One of these is the content.
	Body  template.HTML
	Front []choice
	Codes []codeRow
	Code  *codePage
	Facts []fact
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
	assets site.Assets
	files  map[string][]byte
	index  []entry
}

// Files renders the files of the site, by their names in its folder pages.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, lang := range languages {
		b := &build{lang: lang, assets: site.NewAssets(), files: files}
		if err := b.all(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (b *build) all() error {
	if err := b.add("", view{Title: "Seller Open API", Front: b.menu("")}); err != nil {
		return err
	}
	for _, page := range pages {
		if page.made {
			continue
		}
		text, err := guide(b.lang, page.slug)
		if err != nil {
			return err
		}
		b.indexGuide(page.slug, text)
		begins := page.slug == "start"
		if begins {
			text.body = withKey(b.lang, text.body)
		}
		if err := b.add(page.slug, view{Title: text.title, Body: text.body, Settings: begins}); err != nil {
			return err
		}
	}
	if err := b.add("status", view{Title: page{}.titleOf("status", b.lang), Settings: true, Facts: facts(b.lang)}); err != nil {
		return err
	}
	b.indexFacts(facts(b.lang))
	if err := b.codes(); err != nil {
		return err
	}
	return b.searchable()
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
		if err := b.add("errors/"+content.Code, view{Title: content.Code, Code: &content}); err != nil {
			return err
		}
		b.indexCode(content)
		rows = append(rows, codeRow{
			Path: at(b.lang, "errors/"+content.Code), Code: content.Code, HTTP: list[i].row.Status,
			Message: content.Message,
		})
	}
	return b.add("errors", view{Title: page{}.titleOf("errors", b.lang), Codes: rows})
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

// add fills the layout.
func (b *build) add(slug string, content view) error {
	content.Lang, content.Path = b.lang.String(), at(b.lang, slug)
	content.Assets, content.Index = b.assets, at(b.lang, searchFile)
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
		return err
	}
	b.files[strings.TrimPrefix(content.Path, site.Base+"/")+".html"] = text.Bytes()
	return nil
}

func said(lang apierr.Lang) map[string]string {
	texts := make(map[string]string, len(layoutWords))
	for name, phrase := range layoutWords {
		texts[name] = phrase.In(lang)
	}
	return texts
}
