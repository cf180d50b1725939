// Package live looks at the gateway's live page in a real browser: headless Chromium, where there is one.
//
// VSR_LIVE_PICTURES=FOLDER keeps pictures of what was seen.
package live

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const patience = 60 * time.Second // starting a browser on a busy machine

const routerFile = `version: v0.3
routing:
  signals:
    keywords: [{name: lease, operator: OR, keywords: [rent]}, {name: bomb, operator: OR, keywords: [bomb]}]
  decisions:
    - name: blocked
      priority: 2
      rules: {type: keyword, name: bomb}
      modelRefs: []
      plugins: [{type: fast_response, configuration: {message: I cannot help with that.}}]
    - {name: tenancy, priority: 1, rules: {type: keyword, name: lease}, modelRefs: [{model: large}]}
providers:
  defaults: {default_model: small}
  models:
    - {name: small, pricing: {prompt_per_1m: 0.5, completion_per_1m: 1}, backend_refs: [{name: a, endpoint: "ADDRESS"}]}
    - {name: large, pricing: {prompt_per_1m: 2.5, completion_per_1m: 10}, backend_refs: [{name: a, endpoint: "ADDRESS"}]}
vsr: {cache: {max_entries: 100}}
`

const gatewayFile = `listen: LISTEN
router: router.yaml
keys: keys.yaml
live: {enabled: true, texts: TEXTS}
guards: [{name: lease, decisions: [tenancy], facts: [facts.txt], tool_facts: true, policy: terminate, hold: true}]
`

// gateway starts the built gateway with the scripted server behind it and gives its address.
func gateway(t *testing.T, texts bool) string {
	t.Helper()
	bin, err := filepath.Abs("../../build/bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"gateway", "scripted"} {
		if _, err := os.Stat(filepath.Join(bin, program)); err != nil {
			t.Skipf("build/bin/%s is not built (hint: scripts/test.sh)", program)
		}
	}
	scripted := exec.Command(filepath.Join(bin, "scripted"))
	out, err := scripted.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	run(t, scripted)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listen := listener.Addr().String()
	listener.Close()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"router.yaml":  strings.ReplaceAll(routerFile, "ADDRESS", strings.TrimSpace(address)),
		"gateway.yaml": strings.NewReplacer("LISTEN", listen, "TEXTS", fmt.Sprint(texts)).Replace(gatewayFile),
		"keys.yaml": fmt.Sprintf("keys:\n  - {name: ops, tenant: house, roles: [infer, explain, admin], sha256: %x}\n  - {name: ann, tenant: acme, sha256: %x}\n",
			sha256.Sum256([]byte("key-of-ops")), sha256.Sum256([]byte("key-of-ann"))),
		"facts.txt": "The monthly rent is GBP 1,350.\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	started := exec.Command(filepath.Join(bin, "gateway"), "-config", filepath.Join(folder, "gateway.yaml"))
	started.Stderr = &log
	run(t, started)
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get("http://" + listen + "/readyz"); err == nil {
			answer.Body.Close()
			return "http://" + listen
		}
		if time.Now().After(end) {
			t.Fatalf("the gateway does not become ready: %s", log.String())
		}
	}
}

func run(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
}

func ask(t *testing.T, url, question string, stream bool) {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"model": "auto", "stream": stream, "messages": []any{map[string]string{"role": "user", "content": question}}})
	request, err := http.NewRequest("POST", url+"/v1/chat/completions", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer key-of-ann")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Fatal(err)
	}
}

type browser struct {
	*testing.T
	ctx      context.Context
	problems chan string // that the page's console told
}

func open(t *testing.T, url, scheme string) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium (hint: apt-get install chromium)")
	}
	// The only page that it sees is this repository's, and a sandbox needs what containers lack.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 1000))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*patience)
	t.Cleanup(cancel)
	b := &browser{t, ctx, make(chan string, 100)}
	chromedp.ListenTarget(ctx, func(event any) {
		switch event := event.(type) {
		case *runtime.EventExceptionThrown:
			b.problems <- event.ExceptionDetails.Error()
		case *runtime.EventConsoleAPICalled:
			b.problems <- string(event.Type)
		}
	})
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Navigate(url+"/live"), chromedp.WaitReady("#list", chromedp.ByQuery))
	return b
}

func (b *browser) do(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// see waits until an expression of the page holds.
func (b *browser) see(expression string) {
	b.Helper()
	var seen bool
	if err := chromedp.Run(b.ctx, chromedp.Poll(expression, &seen, chromedp.WithPollingTimeout(20*time.Second))); err != nil {
		var text string
		_ = chromedp.Run(b.ctx, chromedp.Evaluate("document.body.innerText", &text))
		b.Fatalf("%s: %v\n%s", expression, err, text)
	}
}

func (b *browser) connect() {
	b.Helper()
	b.see(`document.getElementById("state").textContent.includes("key is missing")`)
	b.do(chromedp.SendKeys("#key", "key-of-ops"+kb.Enter, chromedp.ByQuery))
	b.see(`document.getElementById("state").textContent === "connected"`)
}

func (b *browser) picture(name string) {
	b.Helper()
	folder := os.Getenv("VSR_LIVE_PICTURES")
	if folder == "" {
		return
	}
	var image []byte
	b.do(chromedp.FullScreenshot(&image, 100))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), image, 0o600); err != nil {
		b.Fatal(err)
	}
}

func (b *browser) quiet() {
	b.Helper()
	select {
	case problem := <-b.problems:
		b.Errorf("the page's console: %s", problem)
	default:
	}
}

const hostile = `What is <b id="injected">x</b> <script>window.injected = 1</script><img src=x onerror="window.injected = 2">?`

func TestPage_ShowsRequestsAsTheyCome(t *testing.T) {
	url := gateway(t, true)
	for _, scheme := range []string{"light", "dark"} {
		b := open(t, url, scheme)
		b.connect()
		ask(t, url, hostile, false)
		ask(t, url, "Who painted the Mona Lisa?", true)
		ask(t, url, "Who painted the Mona Lisa?", true)
		ask(t, url, "How is a bomb built?", false)
		ask(t, url, "What is the rent?", true)
		b.see(`document.querySelector("#list button").innerText.includes("tenancy") && document.querySelector("#list .rest") !== null`)
		b.do(chromedp.Focus("#list button", chromedp.ByQuery), chromedp.KeyEvent(kb.Enter))
		b.see(`document.querySelector("#detail mark") !== null && document.querySelector("#detail mark").textContent.includes("9,999")`)
		b.see(`document.getElementById("detail").innerText.includes("the guard ended it")`)
		b.picture("live-" + scheme)
		b.quiet()
	}
}

func TestPage_TakesNothingForMarkup(t *testing.T) {
	url := gateway(t, true)
	ask(t, url, hostile, true)
	b := open(t, url, "light")
	b.connect()
	b.see(`document.querySelectorAll("#list button").length === 1`)
	b.do(chromedp.Click("#list button", chromedp.ByQuery))
	b.see(`document.getElementById("detail").textContent.includes('<script>window.injected = 1</script><img src=x onerror=')`)
	b.do(chromedp.SetValue("#prompt", hostile, chromedp.ByQuery), chromedp.SetValue("#answer", hostile+" The rent is GBP 9,999.", chromedp.ByQuery),
		chromedp.SetValue("#facts", hostile+"\nThe rent is GBP 1,350.", chromedp.ByQuery), chromedp.Click("#check", chromedp.ByQuery))
	b.see(`document.querySelector("#result mark") !== null`)
	b.see(`window.injected === undefined && document.getElementById("injected") === null && document.querySelector("img") === null`)
	b.quiet()
}

func TestPage_TriesOnesOwnByKeyboardAlone(t *testing.T) {
	url := gateway(t, false)
	ask(t, url, "A secret of ann's", false)
	b := open(t, url, "dark")
	b.connect()
	b.see(`document.querySelectorAll("#list button").length === 1`)
	// From the key's field by tabulators: the buttons, the one row, the three fields.
	typed := func(text string) chromedp.Action { return chromedp.KeyEvent(text) }
	b.do(typed(kb.Tab), typed(kb.Tab), typed(kb.Tab), typed(kb.Enter))
	b.see(`document.getElementById("detail").innerText.includes("Texts are not shown")`)
	b.see(`!document.body.innerText.includes("secret")`)
	b.do(typed(kb.Tab))
	b.see(`document.activeElement.id === "prompt"`)
	b.do(typed("What is the rent?"), typed(kb.Tab), typed("The monthly rent is GBP 1,350."), typed(kb.Tab),
		typed("Grüße. The monthly rent is GBP 2,000."), typed(kb.Tab))
	b.see(`document.activeElement.id === "explain"`)
	b.do(typed(kb.Enter))
	b.see(`document.getElementById("result").innerText.includes("tenancy") && document.getElementById("result").innerText.includes("keyword:lease")`)
	b.do(typed(kb.Tab), typed(kb.Enter))
	b.see(`document.querySelector("#result mark") !== null && document.querySelector("#result mark").textContent.includes("2,000")`)
	b.picture("try-dark")
	b.do(typed(kb.Tab), typed(kb.Enter)) // ask: the facts are a tool's result, and the scripted server says 9,999
	b.see(`document.querySelector("#detail mark") !== null && document.querySelector("#detail mark").textContent.includes("9,999")`)
	b.picture("ask-dark")
	b.quiet()
}
