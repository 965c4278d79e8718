package main

import (
	"crypto/rand"
	"encoding/json"
)

// mostOutcomes bounds how many ways through the random choices of one decision are tried.
const mostOutcomes = 128

// choices is a source of random numbers that takes every way in turn: Karmada tosses a coin by comparing a
// number below 100, taken from one byte, with 50.
type choices struct {
	way  []byte
	next int
}

func (c *choices) Read(p []byte) (int, error) {
	for i := range p {
		if c.next == len(c.way) {
			c.way = append(c.way, 0)
		}
		p[i] = c.way[c.next] * 99
		c.next++
	}
	return len(p), nil
}

// advance goes to the next way and reports whether there is one.
func (c *choices) advance() bool {
	c.way, c.next = c.way[:c.next], 0
	for len(c.way) > 0 {
		last := len(c.way) - 1
		if c.way[last] == 0 {
			c.way[last] = 1
			return true
		}
		c.way = c.way[:last]
	}
	return false
}

// outcomes collects the different answers to one question: all ways through random choices, and as many runs as
// asked for, since maps are walked in another order each time. What random choices lead to is reported as oneOf, what the
// order of a map leads to as anyOf.
func outcomes(q question, answer func() any, merge func([]any, bool) any) any {
	random := &choices{}
	system := rand.Reader
	rand.Reader = random
	defer func() { rand.Reader = system }()

	var different []any
	seen := map[string]bool{}
	complete := true
	for run := 0; run == 0 || run < q.Runs; run++ {
		for tried := 0; ; tried++ {
			if tried == mostOutcomes {
				complete = false
				random.way, random.next = nil, 0
				break
			}
			one := answer()
			text, err := json.Marshal(one)
			if err != nil {
				panic(refusal{err})
			}
			if !seen[string(text)] {
				seen[string(text)] = true
				different = append(different, one)
			}
			if !random.advance() {
				break
			}
		}
	}
	if merge != nil {
		return merge(different, complete)
	}
	if len(different) == 1 {
		return different[0]
	}
	return map[string]any{"anyOf": different}
}
