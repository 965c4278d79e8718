// The oracle answers cases of the conformance suites with Karmada's own packages: JSON lines in, JSON lines out,
// one answer for each question, in order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// question is one line of the input.
type question struct {
	Suite string          `json:"suite"`
	Input json.RawMessage `json:"input"`
	// Runs is how often to ask where the answer may vary; 1 if absent.
	Runs int `json:"runs"`
}

// reply is one line of the output. Exactly one of Expected, Refused and Crash is set.
type reply struct {
	// Input is what this version of the API received, if it does not know all fields of the question.
	Input    any `json:"input,omitempty"`
	Expected any `json:"expected,omitempty"`
	// Refused says why the API server would not have let this input in.
	Refused string `json:"refused,omitempty"`
	// Crash is the panic that ended Karmada's code.
	Crash string `json:"crash,omitempty"`
}

// refusal is the panic of an answer whose input no API server would store.
type refusal struct{ err error }

// The suites run as a test, because only a test may have a clock of its own.
func main() {
	testing.Main(
		func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "oracle", F: serve}}, nil, nil)
}

func serve(t *testing.T) {
	klog.SetLogger(logr.Discard())
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<28)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		var q question
		var answer reply
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			answer = reply{Refused: err.Error()}
		} else {
			answer = ask(t, q)
		}
		line, err := json.Marshal(answer)
		if err != nil {
			line, _ = json.Marshal(reply{Refused: err.Error()})
		}
		out.Write(line)
		out.WriteByte('\n')
		out.Flush()
	}
	os.Exit(0)
}

func ask(t *testing.T, q question) (answer reply) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			answer = reply{Refused: r.err.Error()}
		default:
			answer = reply{Crash: fmt.Sprintf("%v\n%s", r, debug.Stack())}
		}
	}()
	suite, known := suites[q.Suite]
	if !known {
		return reply{Refused: "this version has no suite " + q.Suite}
	}
	pruned, changed := prune(q.Input, suite.input())
	answer.Expected = outcomes(q, func() any { return suite.answer(t, pruned) }, suite.merge)
	if changed {
		answer.Input = json.RawMessage(pruned)
	}
	return answer
}

// suite answers the questions of one conformance suite.
type suite struct {
	// input gives a pointer to the type whose JSON fields are those of the input
	input func() any
	// answer is what Karmada decides; it may panic with a refusal
	answer func(t *testing.T, input []byte) any
	// merge makes one expectation of several different answers; nil if answers never vary
	merge func(answers []any, complete bool) any
}

// newSuite makes a suite of a typed answer.
func newSuite[I any](answer func(t *testing.T, input *I) any) suite {
	return suite{
		input: func() any { return new(I) },
		answer: func(t *testing.T, raw []byte) any {
			input := new(I)
			decode(raw, input)
			return answer(t, input)
		},
	}
}

func (s suite) merging(merge func(answers []any, complete bool) any) suite {
	s.merge = merge
	return s
}
