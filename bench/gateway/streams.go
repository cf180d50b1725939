package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// slowStreams has many streams at a time run through a server, and says what they take of it.
func slowStreams(name string, at *process, question string) error {
	pid := at.Process.Pid
	before, cpu := resident(pid), processorTime(pid)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *streams, DisableCompression: true}}
	defer client.CloseIdleConnections()
	kind := kind{model: "auto", question: question + " NUMBER", stream: true}
	var all sync.WaitGroup
	var mutex sync.Mutex
	var failed error
	longest := time.Duration(0)
	for i := range *streams {
		all.Add(1)
		go func() {
			defer all.Done()
			took, err := send(client, at.address, kind, i)
			mutex.Lock()
			defer mutex.Unlock()
			longest = max(longest, took)
			if err != nil {
				failed = err
			}
		}()
	}
	time.Sleep(time.Duration(*seconds) * time.Second * 3 / 4)
	during, goroutines := resident(pid), goroutinesOf(at)
	all.Wait()
	if failed != nil {
		return fmt.Errorf("%s: %w", name, failed)
	}
	used := processorTime(pid) - cpu
	fmt.Printf("\n%d slow streams of %d s, %s: %.1f MB more (%.1f kB each), %s goroutines, %.2f s of processor time, the last done after %.2f s\n",
		*streams, *seconds, name, float64(during-before)/1e6, float64(during-before)/1e3/float64(*streams), goroutines,
		used.Seconds(), longest.Seconds())
	return nil
}

func field(path, name string) string {
	text, _ := os.ReadFile(path)
	for _, line := range strings.Split(string(text), "\n") {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// resident is the memory of a process, in bytes.
func resident(pid int) int64 {
	kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(field(fmt.Sprintf("/proc/%d/status", pid), "VmRSS"), " kB"), 10, 64)
	return kilobytes << 10
}

func processorTime(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	ticks := 0
	for _, i := range []int{11, 12} {
		if i < len(fields) {
			n, _ := strconv.Atoi(fields[i])
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond // USER_HZ is 100
}

var goroutineCount = regexp.MustCompile(`(?m)^go_goroutines (\d+)`)

// goroutinesOf asks the gateway; a bare proxy does not tell.
func goroutinesOf(at *process) string {
	answer, err := http.Get("http://" + at.address + "/metrics")
	if err != nil {
		return "?"
	}
	defer answer.Body.Close()
	var text strings.Builder
	buffer := make([]byte, 64<<10)
	for {
		n, err := answer.Body.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	if found := goroutineCount.FindStringSubmatch(text.String()); found != nil {
		return found[1]
	}
	return "?"
}

func printMachine() {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%s, %d cores, load %s, %s\n", field("/proc/cpuinfo", "model name"), runtime.NumCPU(),
		strings.Join(strings.Fields(string(load))[:3], " "), runtime.Version())
}
