// What the gateway costs: the time that it adds to a request over a bare reverse proxy in Go to the same model server, by
// stage, and what a thousand slow streams take. Each server is a process of its own.
//
// Usage: go run . [-n 2000] [-streams 1000] [-seconds 10]; needs build/bin/gateway (scripts/test.sh or scripts/demo.sh).
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"
)

var (
	count   = flag.Int("n", 2000, "requests of each kind")
	streams = flag.Int("streams", 1000, "slow streams at a time")
	seconds = flag.Int("seconds", 10, "that a slow stream lasts")
	root    = flag.String("root", "../..", "the repository")
	role    = flag.String("role", "", "what this process is: upstream or proxy; the bench starts those itself")
	target  = flag.String("target", "", "of the proxy")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	switch *role {
	case "upstream":
		serve(http.HandlerFunc(upstream))
	case "proxy":
		serve(bare(*target))
	default:
		if err := measure(); err != nil {
			log.Fatal(err)
		}
	}
}

// process is a server that this bench started.
type process struct {
	*exec.Cmd
	address string
}

func start(name string, arguments ...string) (*process, error) {
	p := &process{Cmd: exec.Command(name, arguments...)}
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	p.address = strings.TrimSpace(line)
	return p, err
}

func (p *process) end() {
	_ = p.Process.Signal(os.Interrupt)
	_ = p.Wait()
}

const routerFile = `version: v0.3
routing:
  signals:
    keywords: [{name: lease, operator: OR, keywords: [rent]}, {name: urgent, operator: OR, keywords: [urgent]}]
  decisions:
    - {name: tenancy, priority: 2, rules: {type: keyword, name: lease}, modelRefs: [{model: m}]}
    - {name: urgent, priority: 1, rules: {type: keyword, name: urgent}, modelRefs: [{model: m}]}
providers:
  defaults: {default_model: m}
  models: [{name: m, backend_refs: [{name: a, endpoint: "%s"}]}]
vsr: {cache: {max_entries: 10000}}
`

const gatewayFile = `listen: %s
router: router.yaml
log_level: warn
guards: [{name: lease, decisions: [tenancy], facts: [facts.txt], policy: terminate, hold: true}]
`

func startGateway(folder, upstream string) (*process, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	listener.Close()
	for name, text := range map[string]string{"router.yaml": fmt.Sprintf(routerFile, upstream),
		"gateway.yaml": fmt.Sprintf(gatewayFile, address), "facts.txt": "The monthly rent is GBP 1,350.\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	command := exec.Command(filepath.Join(*root, "build/bin/gateway"), "-config", filepath.Join(folder, "gateway.yaml"))
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &process{command, address}
	for range 500 {
		if answer, err := http.Get("http://" + address + "/readyz"); err == nil {
			answer.Body.Close()
			return p, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.end()
	return nil, fmt.Errorf("the gateway does not become ready")
}

// kind is a request that is measured; NUMBER in its question makes it unlike any other.
type kind struct {
	name, model, question string
	stream, proxy         bool
}

var kinds = []kind{
	{"bare proxy", "m", "urgent NUMBER", false, true},
	{"gateway, model by name", "m", "urgent NUMBER", false, false},
	{"gateway, routed by keywords", "auto", "urgent NUMBER", false, false},
	{"gateway, from the cache", "auto", "urgent and the same", false, false},
	{"bare proxy, stream", "m", "rent NUMBER", true, true},
	{"gateway, stream routed", "auto", "urgent NUMBER", true, false},
	{"gateway, stream routed and guarded", "auto", "rent NUMBER", true, false},
}

func measure() error {
	folder, err := os.MkdirTemp("", "vsr-gateway-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	up, err := start(os.Args[0], "-role", "upstream")
	if err != nil {
		return err
	}
	defer up.end()
	proxy, err := start(os.Args[0], "-role", "proxy", "-target", "http://"+up.address)
	if err != nil {
		return err
	}
	defer proxy.end()
	gateway, err := startGateway(folder, up.address)
	if err != nil {
		return err
	}
	defer gateway.end()
	printMachine()
	for _, side := range []int{1, 16} {
		if err := latency(proxy, gateway, side); err != nil {
			return err
		}
	}
	for _, slow := range []struct {
		name     string
		at       *process
		question string
	}{{"bare proxy", proxy, "slow"}, {"gateway", gateway, "slow urgent"}, {"gateway, guarded", gateway, "slow rent"}} {
		if err := slowStreams(slow.name, slow.at, slow.question); err != nil {
			return err
		}
	}
	return nil
}

// latency sends all kinds in turns, so that what else the machine does meets all of them alike.
func latency(proxy, gateway *process, side int) error {
	const turns = 20
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: side}}
	times := make([][]time.Duration, len(kinds))
	number := 0
	for turn := range turns + 1 {
		for k, kind := range kinds {
			address := gateway.address
			if kind.proxy {
				address = proxy.address
			}
			var all sync.WaitGroup
			var mutex sync.Mutex
			var failed error
			each := max(1, *count/turns/side)
			for range side {
				number += each
				all.Add(1)
				go func(first int) {
					defer all.Done()
					for i := range each {
						took, err := send(client, address, kind, first+i)
						mutex.Lock()
						if err != nil {
							failed = err
						} else if turn > 0 { // the first warms up
							times[k] = append(times[k], took)
						}
						mutex.Unlock()
					}
				}(side*100_000_000 + number)
			}
			all.Wait()
			if failed != nil {
				return fmt.Errorf("%s: %w", kind.name, failed)
			}
		}
	}
	fmt.Printf("\n%d at a time, %d of each kind\n%-36s %8s %8s %10s %10s\n", side, len(times[0]), "", "p50 ms", "p99 ms", "p50 added", "p50 ratio")
	var base time.Duration
	for k, kind := range kinds {
		sort.Slice(times[k], func(i, j int) bool { return times[k][i] < times[k][j] })
		half, most := times[k][len(times[k])/2], times[k][len(times[k])*99/100]
		if kind.proxy {
			base = half
		}
		fmt.Printf("%-36s %8.3f %8.3f %10.3f %10.2f\n", kind.name, ms(half), ms(most), ms(half-base), float64(half)/float64(base))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func body(kind kind, number int) []byte {
	question := strings.ReplaceAll(kind.question, "NUMBER", fmt.Sprint(number))
	return fmt.Appendf(nil, `{"model":%q,"stream":%v,"messages":[{"role":"user","content":%q}]}`, kind.model, kind.stream, question)
}

func send(client *http.Client, address string, kind kind, number int) (time.Duration, error) {
	text := body(kind, number)
	began := time.Now()
	answer, err := client.Post("http://"+address+"/v1/chat/completions", "application/json", bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	took := time.Since(began)
	if err == nil && (answer.StatusCode != 200 || kind.stream && !bytes.HasSuffix(said, []byte("data: [DONE]\n\n"))) {
		err = fmt.Errorf("status %d: %.200s", answer.StatusCode, said)
	}
	return took, err
}
