package main

import (
	"fmt"

	"k8s.io/component-base/featuregate"

	"github.com/karmada-io/karmada/pkg/features"
)

// setGates sets feature gates, leaving out those that this version does not have, and returns what takes it back.
func setGates(gates map[string]bool) func() {
	restore := map[string]bool{}
	known := features.FeatureGate.GetAll()
	for name, enabled := range gates {
		gate := featuregate.Feature(name)
		if _, has := known[gate]; has && features.FeatureGate.Enabled(gate) != enabled {
			restore[name] = !enabled
			mustSet(map[string]bool{name: enabled})
		}
	}
	return func() { mustSet(restore) }
}

func mustSet(gates map[string]bool) {
	if err := features.FeatureGate.SetFromMap(gates); err != nil {
		panic(fmt.Errorf("feature gates %v: %w", gates, err))
	}
}

// gateEnabled reports whether this version has the feature gate and it is on.
func gateEnabled(name string) bool {
	gate := featuregate.Feature(name)
	_, has := features.FeatureGate.GetAll()[gate]
	return has && features.FeatureGate.Enabled(gate)
}
