package main

import (
	"testing"
	"testing/synctest"
	"time"
)

// at runs f at a moment: inside, time stands still unless f sleeps. Panics of f are passed on.
func at(t *testing.T, now time.Time, f func()) {
	var panicked any
	synctest.Test(t, func(*testing.T) {
		defer func() { panicked = recover() }()
		sleepUntil(now)
		f()
	})
	if panicked != nil {
		panic(panicked)
	}
}

// sleepUntil moves the clock of at forward; it does not go back.
func sleepUntil(now time.Time) { time.Sleep(time.Until(now)) }
