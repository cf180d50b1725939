package proxy

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Configuration holds the state in use, and replaces it when its files change.
type Configuration struct {
	path    string
	log     *slog.Logger
	metrics *Metrics
	state   atomic.Pointer[State]
	loading sync.Mutex
	loaded  [sha256.Size]byte // of the files

	onTextsOff func() // nil: nothing shows texts
}

// Open loads the first state.
func Open(path string, log *slog.Logger, metrics *Metrics) (*Configuration, error) {
	c := &Configuration{path: path, log: log, metrics: metrics}
	state, err := Load(path, log)
	if err != nil {
		return nil, err
	}
	c.loaded = state.read
	c.state.Store(state)
	return c, nil
}

// Use gives the state in use, which stays open until done is called; nil after Close.
func (c *Configuration) Use() (state *State, done func()) {
	for {
		state := c.state.Load()
		if state == nil {
			return nil, func() {}
		}
		if state.Flow.Hold() {
			return state, state.Flow.Release
		}
	}
}

// Close gives up the state in use.
func (c *Configuration) Close() {
	if state := c.state.Swap(nil); state != nil {
		state.Close()
	}
}

// Reload replaces the state by what the files say now. When they are wrong the old one stays, and the log says why.
func (c *Configuration) Reload() error {
	c.loading.Lock()
	defer c.loading.Unlock()
	old := c.state.Load()
	if old == nil {
		return nil
	}
	c.loaded = fingerprint(old.Files(c.path))
	next, err := Load(c.path, c.log)
	if err != nil {
		c.metrics.reloads.WithLabelValues("failed").Inc()
		c.log.Error("the configuration stays as it was", "error", err)
		return err
	}
	if next.Listen != old.Listen || next.MetricsListen != old.MetricsListen || next.Limits != old.Limits ||
		next.Live.Enabled && !old.Live.Enabled || next.Live.Entries != old.Live.Entries {
		c.log.Warn("addresses, limits and the live page's size change with the next start")
	}
	c.loaded = next.read
	if !c.state.CompareAndSwap(old, next) { // closed meanwhile
		next.Close()
		return nil
	}
	if c.onTextsOff != nil && old.Live.Texts && !next.Live.Texts {
		c.onTextsOff()
	}
	old.Close()
	c.metrics.reloads.WithLabelValues("done").Inc()
	c.log.Info("the configuration was loaded again")
	return nil
}

// fingerprint tells contents of files apart.
func fingerprint(files []string) (sum [sha256.Size]byte) {
	hash := sha256.New()
	for _, path := range files {
		text, err := os.ReadFile(path)
		one := sha256.Sum256(text)
		hash.Write(one[:])
		if err != nil {
			hash.Write([]byte("missing"))
		}
	}
	hash.Sum(sum[:0])
	return sum
}

// settle is how long files must be left alone before they are read.
const settle = 200 * time.Millisecond

// Watch reloads when files change, until the context ends. Folders are watched, since editors and Kubernetes put other
// files in the place of the old ones.
func (c *Configuration) Watch(ctx context.Context) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer watcher.Close()
	watched := map[string]bool{}
	timer := time.NewTimer(0)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-watcher.Events:
			timer.Reset(settle)
		case err := <-watcher.Errors:
			c.log.Warn("watching files", "error", err)
			timer.Reset(settle)
		case <-timer.C:
			state := c.state.Load()
			if state == nil {
				return nil
			}
			files := state.Files(c.path)
			for _, file := range files {
				if folder := filepath.Dir(file); !watched[folder] {
					watched[folder] = watcher.Add(folder) == nil
				}
			}
			c.loading.Lock()
			changed := fingerprint(files) != c.loaded
			c.loading.Unlock()
			if changed {
				_ = c.Reload() // told in the log
			}
		}
	}
}
