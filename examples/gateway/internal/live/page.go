package live

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"regexp"
)

//go:embed page.html
var page []byte

var (
	style  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	script = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	policy = "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" +
		"; style-src " + hashOf(style) + "; script-src " + hashOf(script)
)

// hashOf names the page's own style or script in a policy that lets no other run.
func hashOf(part *regexp.Regexp) string {
	sum := sha256.Sum256(part.FindSubmatch(page)[1])
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// ServePage gives the page, which holds nothing of any request.
func ServePage(w http.ResponseWriter, _ *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	_, _ = w.Write(page)
}
