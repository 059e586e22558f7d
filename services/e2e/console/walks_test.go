package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	chromium "sellerapi.dev/proto/conformance/browser"
	"sellerapi.dev/services/allinone/identity"
	"sellerapi.dev/services/e2e/stacktest"
)

// walk is the story of a person in a browser who has only the address of the console. Each step is a picture in the folder
// SCREENSHOTS.
type walk struct {
	t                    *testing.T
	b                    *chromium.Browser
	name                 string
	begun                time.Time
	steps, pages, clicks int
	heaviest             int
}

// begin opens the console in a browser of a language.
func begin(t *testing.T, c *stacktest.Console, name string, lang apierr.Lang) *walk {
	t.Helper()
	b := chromium.Open(t)
	b.Language(t, lang.String())
	b.LetCopy(t)
	w := &walk{t: t, b: b, name: "walk-" + name + "-" + lang.String(), begun: time.Now(), pages: 1}
	b.Visit(t, c.URL)
	return w
}

// sees waits for a text on the page, which people read in their language, and keeps the page as a picture.
func (w *walk) sees(text string) {
	w.t.Helper()
	w.b.Await(w.t, shows(text))
	w.keep()
}

func shows(text string) string { return fmt.Sprintf(`document.body.innerText.includes(%q)`, text) }

// keep keeps a picture, on which the text of a key cannot be read.
func (w *walk) keep() {
	w.t.Helper()
	w.steps++
	w.b.Run(w.t, `document.getElementById("secret")?.style.setProperty("filter", "blur(.4em)")`)
	w.b.Keep(w.t, fmt.Sprintf("%s-%02d", w.name, w.steps))
}

// click clicks on something of the page.
func (w *walk) click(text string) { w.t.Helper(); w.clicks++; w.b.Click(w.t, text) }

// follow clicks on what leads to another page, which has to be small.
func (w *walk) follow(text string) {
	w.t.Helper()
	w.clicks++
	w.pages++
	w.b.Follow(w.t, text)
	weight, err := strconv.Atoi(w.b.Text(w.t, `String(performance.getEntriesByType("navigation")
		.concat(performance.getEntriesByType("resource")).reduce((sum, one) => sum + one.decodedBodySize, 0))`))
	require.NoError(w.t, err)
	require.LessOrEqual(w.t, weight, 150<<10, "after %s", text)
	w.heaviest = max(w.heaviest, weight)
}

// appears looks at the page again until it shows a text.
func (w *walk) appears(text, again string) {
	w.t.Helper()
	for w.b.Text(w.t, "String("+shows(text)+")") != "true" {
		require.Less(w.t, time.Since(w.begun), time.Minute, text)
		w.follow(again)
	}
	w.keep()
}

func (w *walk) signIn(word func(english, korean string) string, person string) {
	w.t.Helper()
	w.sees(word("Sign in with your partner account", "파트너 계정으로 로그인"))
	w.follow(word("Sign in with your partner account", "파트너 계정으로 로그인"))
	w.sees(word("Who are you?", "누구로 로그인할까요?"))
	w.follow(person)
}

// within ends a walk: it prints what a person has to do, and how long the machine took for it.
func (w *walk) within(bar time.Duration) {
	w.t.Helper()
	took := time.Since(w.begun)
	w.t.Logf("%s: %d pages, %d clicks, %.1f s of the machine, %d KB at most", w.name, w.pages, w.clicks, took.Seconds(),
		w.heaviest>>10)
	require.Less(w.t, took, bar)
}

// inLanguages lets a person walk in each language, who reads the texts that word chooses.
func inLanguages(t *testing.T, story func(t *testing.T, lang apierr.Lang, word func(english, korean string) string)) {
	t.Helper()
	for _, lang := range []apierr.Lang{apierr.English, apierr.Korean} {
		t.Run(lang.String(), func(t *testing.T) {
			t.Parallel()
			story(t, lang, func(english, korean string) string { return apierr.Phrase{English: english, Korean: korean}.In(lang) })
		})
	}
}

// curl runs the command that the page has copied, as a person does in a terminal.
func curl(t *testing.T, command string) (status int) {
	t.Helper()
	arguments := strings.Split(strings.TrimSuffix(strings.TrimPrefix(command, "curl -H '"), "'"), "' '")
	require.Len(t, arguments, 2, "a header and an address")
	run := exec.CommandContext(t.Context(), "curl", "-sS", "-H", arguments[0], arguments[1])
	output, err := run.Output()
	require.NoError(t, err)
	var envelope struct{ Meta struct{ Code int } }
	require.NoError(t, json.Unmarshal(output, &envelope), string(output))
	return envelope.Meta.Code
}

// A representative who has only the address of the console has a key within three minutes, and sees it used.
func TestWalk_representative(t *testing.T) {
	t.Parallel()
	inLanguages(t, func(t *testing.T, lang apierr.Lang, word func(english, korean string) string) {
		t.Helper()
		c := stacktest.Use(t).Console(t, nil)
		seller := c.Seller(t)
		c.People.Know(identity.Person{Subject: "kim", Name: "김서연", Roles: []string{"representative:" + seller.ID}})

		w := begin(t, c, "representative", lang)
		w.signIn(word, "김서연")
		w.sees(word("One key for each program", "프로그램마다"))
		w.follow(word("Issue key", "키 발급"))
		w.sees(word("Which program uses it", "키를 쓸 프로그램"))
		w.b.Type(t, "purpose", word("ERP orders", "ERP 주문 수집"))
		w.click("orders:read")
		w.keep()
		w.follow(word("Issue key", "키 발급"))
		w.sees(word("Copy as a curl call", "curl 호출로 복사"))
		w.click(word("Copy as a curl call", "curl 호출로 복사"))
		w.b.Await(t, shows(word("Copied", "복사됨")))
		require.Equal(t, http.StatusOK, curl(t, w.b.Copied(t)))
		w.follow(word("Calls with this key", "이 키의 호출 보기"))
		w.appears(word("200 Succeeded", "200 성공"), word("Look again", "다시 확인"))
		w.follow(word("API keys", "API 키"))
		w.sees(word("ERP orders", "ERP 주문 수집"))
		require.Equal(t, "1", w.b.Text(t, `[...document.querySelectorAll("table.keys tbody tr")]
			.find((row) => row.innerText.includes("ERP")).querySelector(".num").innerText`), "calls of 24 hours")
		w.within(3 * time.Minute)
	})
}

// Support finds the reason of a refused call within a minute, with nothing but the request id that a developer reports.
func TestWalk_support(t *testing.T) {
	t.Parallel()
	inLanguages(t, func(t *testing.T, lang apierr.Lang, word func(english, korean string) string) {
		t.Helper()
		c := stacktest.Use(t).Console(t, nil)
		seller := c.Seller(t)
		c.People.Know(identity.Person{Subject: "park", Name: "박지우", Roles: []string{"support"}})
		requestID := call(t, c, seller.Key, "/open/v1/orders?limit=1000")
		logged(t, c, seller) // a later call, with which that one is in the log too

		w := begin(t, c, "support", lang)
		w.signIn(word, "박지우")
		w.sees(word("Request ID of a call", "호출의 요청 ID"))
		w.b.Type(t, "call", requestID)
		w.keep()
		w.follow(word("Find the call", "호출 찾기"))
		w.sees("VALIDATION_ERROR")
		text := w.b.Text(t, `document.querySelector("main").innerText`)
		for _, part := range []string{word("Why", "이유"), word("What to do", "해결 방법"), "limit", requestID} {
			require.Contains(t, text, part)
		}
		require.Contains(t, w.b.Text(t, `document.querySelector("header").innerHTML`), seller.ID)
		w.within(time.Minute)
	})
}

// Support reads what is wrong with what was typed: an id of no call, and what is no id of a seller.
func TestSellers_problems(t *testing.T) {
	t.Parallel()
	c, seller := setup(t)
	b := newBrowser(t, c).as("park")
	for _, form := range []url.Values{{"call": {"nobody"}}, {"call": {strings.Repeat("x", 1000)}}, {"seller": {"x"}}} {
		got := b.post("/seller", form)
		require.Contains(t, []int{http.StatusNotFound, http.StatusUnprocessableEntity}, got.status, got.body)
		require.Contains(t, got.body, `class="problem"`)
	}
	id := call(t, c, seller.Key, "/open/v1/orders?limit=1000")
	logged(t, c, seller)
	require.Equal(t, http.StatusNotFound, newBrowser(t, c).as("kim").post("/seller", url.Values{"call": {id}}).status, "not support")
	require.Regexp(t, `^/requests/[0-9a-f-]{36}$`, b.post("/seller", url.Values{"call": {id}}).to())
}
