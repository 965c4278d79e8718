package main

import (
	"reflect"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"github.com/karmada-io/karmada/pkg/util"
)

const placementAnnotation = util.PolicyPlacementAnnotation

var placementType = reflect.TypeFor[policyv1alpha1.Placement]()

var (
	scheduling        = newScheduling()
	bindingScheduling = newBindingScheduler()
)

// suites are the conformance suites that Karmada's packages can answer.
var suites = map[string]suite{
	"schedule":                newSuite(scheduling.schedule).merging(mergeSchedules),
	"schedule-spread":         newSuite(scheduling.schedule).merging(mergeSchedules),
	"schedule-capacity":       newSuite(scheduling.schedule).merging(mergeSchedules),
	"schedule-estimator":      newSuite(scheduling.schedule).merging(mergeSchedules),
	"schedule-large":          newSuite(scheduling.schedule).merging(mergeSchedules),
	"schedule-components":     newSuite(scheduling.schedule).merging(mergeSchedules),
	"schedule-components-off": newSuite(scheduling.schedule).merging(mergeSchedules),
	"schedule-binding":        newSuite(bindingScheduling.scheduleBinding).merging(mergeBindings),
	"schedule-failover":       newSuite(bindingScheduling.failOver).merging(mergeFailovers),
	"dispenser":               newSuite(dispense).merging(mergeDispensed),
	"cluster-affinity":        newSuite(matchAffinity),
	"tolerations":             newSuite(tolerate),
	"taint-manager":           newSuite(evictByTaint),
	"cluster-taints":          newSuite(refuseTaints),
	"graceful-eviction":       newSuite(evictGracefully),
	"graceful-evict-cluster":  newSuite(evictCluster),
	"application-failover":    newSuite(failOverApplication),
	"app-failover-task":       newSuite(evictFailedApplication),
	"jsonpath":                newSuite(preserveState).merging(mergeStates),
	"work-eviction":           newSuite(evictWorks),
	"cluster-health":          newSuite(monitorHealth),
	"webhook-validate":        newSuite(validate),
	"webhook-mutate":          newSuite(mutate),
}
