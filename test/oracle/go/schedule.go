package main

import (
	"context"
	"errors"
	"sort"
	"strings"
	"testing"

	"k8s.io/client-go/tools/cache"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	clusterlister "github.com/karmada-io/karmada/pkg/generated/listers/cluster/v1alpha1"
	"github.com/karmada-io/karmada/pkg/scheduler/core"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins"
)

type scheduleInput struct {
	Clusters                       []*clusterv1alpha1.Cluster         `json:"clusters"`
	Spec                           workv1alpha2.ResourceBindingSpec   `json:"spec"`
	Status                         workv1alpha2.ResourceBindingStatus `json:"status"`
	EnableEmptyWorkloadPropagation bool                               `json:"enableEmptyWorkloadPropagation"`
	Plugins                        string                             `json:"plugins"`
	FeatureGates                   map[string]bool                    `json:"featureGates"`
}

type scheduleAnswer struct {
	Clusters    []workv1alpha2.TargetCluster   `json:"clusters,omitempty"`
	OrderStable *bool                          `json:"orderStable,omitempty"`
	Error       *scheduleError                 `json:"error,omitempty"`
	Diagnosis   map[string]map[string][]string `json:"diagnosis,omitempty"`
	OneOf       []scheduleAnswer               `json:"oneOf,omitempty"`
	AnyOf       []scheduleAnswer               `json:"anyOf,omitempty"`
	Complete    *bool                          `json:"complete,omitempty"`
}

type scheduleError struct {
	Kind     string   `json:"kind"`
	Message  string   `json:"message,omitempty"`
	Messages []string `json:"messages,omitempty"`
}

// placing is one scheduler for all questions: its clusters and its metrics' workers outlive each.
type placing struct {
	clusters cache.Indexer
	// by the value of --plugins
	started map[string]startedScheduler
}

type startedScheduler struct {
	algorithm core.ScheduleAlgorithm
	filters   []framework.FilterPlugin
}

func newScheduling() *placing {
	return &placing{
		clusters: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{}),
		started:  map[string]startedScheduler{},
	}
}

// start returns the scheduler that runs with a value of --plugins.
func (s *placing) start(value string) startedScheduler {
	if value == "" {
		value = "*"
	}
	if known, isKnown := s.started[value]; isKnown {
		return known
	}
	registry := plugins.NewInTreeRegistry().Filter(strings.Split(value, ","))
	algorithm, err := core.NewGenericScheduler(newSchedulerCache(clusterlister.NewClusterLister(s.clusters)), registry)
	if err != nil {
		panic(err)
	}
	started := startedScheduler{algorithm: algorithm}
	for _, factory := range registry {
		plugin, err := factory()
		if err != nil {
			panic(err)
		}
		if filter, isFilter := plugin.(framework.FilterPlugin); isFilter {
			started.filters = append(started.filters, filter)
		}
	}
	s.started[value] = started
	return started
}

func (s *placing) use(clusters []*clusterv1alpha1.Cluster) {
	objects := make([]any, len(clusters))
	for i, cluster := range clusters {
		objects[i] = cluster
	}
	if err := s.clusters.Replace(objects, ""); err != nil {
		panic(err)
	}
}

func (s *placing) schedule(_ *testing.T, input *scheduleInput) any {
	defer setGates(input.FeatureGates)()
	s.use(input.Clusters)
	scheduler := s.start(input.Plugins)
	result, err := scheduler.algorithm.Schedule(context.Background(), &input.Spec, &input.Status,
		&core.ScheduleAlgorithmOption{EnableEmptyWorkloadPropagation: input.EnableEmptyWorkloadPropagation})
	answer := scheduleAnswer{Diagnosis: scheduler.diagnose(input.Clusters, &input.Spec, &input.Status)}
	if err == nil {
		answer.Clusters = result.SuggestedClusters
		return answer
	}
	answer.Error = &scheduleError{Kind: kindOfError(err), Message: err.Error()}
	if answer.Error.Kind == "FitError" {
		// Filters run in no fixed order and the first refusal counts, so one of several reasons is reported.
		for _, refusals := range answer.Diagnosis {
			if len(refusals) > 1 {
				answer.Error = &scheduleError{Kind: "FitError", Messages: []string{err.Error()}}
			}
		}
	}
	return answer
}

// diagnose asks every filter about every cluster that is scheduled to.
func (s startedScheduler) diagnose(clusters []*clusterv1alpha1.Cluster, spec *workv1alpha2.ResourceBindingSpec, status *workv1alpha2.ResourceBindingStatus) map[string]map[string][]string {
	diagnosis := map[string]map[string][]string{}
	for _, cluster := range clusters {
		if skipsDeletedClusters && !cluster.DeletionTimestamp.IsZero() {
			continue
		}
		for _, filter := range s.filters {
			result := filter.Filter(context.Background(), spec, status, cluster)
			if result.IsSuccess() {
				continue
			}
			if diagnosis[cluster.Name] == nil {
				diagnosis[cluster.Name] = map[string][]string{}
			}
			diagnosis[cluster.Name][filter.Name()] = result.Reasons()
		}
	}
	return diagnosis
}

func kindOfError(err error) string {
	var fitError *framework.FitError
	var unschedulable *framework.UnschedulableError
	switch {
	case errors.As(err, &fitError):
		return "FitError"
	case errors.As(err, &unschedulable):
		return "UnschedulableError"
	default:
		return "Error"
	}
}

// mergeSchedules says what all answers have in common: an order or a text that varies is left open.
func mergeSchedules(answers []any, complete bool) any {
	if len(answers) == 1 && !randomDivision {
		return answers[0]
	}
	merged := scheduleAnswer{Diagnosis: answers[0].(scheduleAnswer).Diagnosis}
	var different []scheduleAnswer
	for _, one := range answers {
		answer := one.(scheduleAnswer)
		answer.Diagnosis = nil
		if !mergedInto(different, answer) {
			different = append(different, answer)
		}
	}
	for _, one := range different {
		if one.OrderStable != nil {
			merged.OrderStable = one.OrderStable
		}
	}
	if len(different) == 1 && (complete || !randomDivision) {
		merged.Clusters, merged.Error = different[0].Clusters, different[0].Error
		return merged
	}
	for i := range different {
		different[i].Clusters = sortedByName(different[i].Clusters)
		different[i].OrderStable = nil
	}
	unstable := false
	merged.OrderStable = &unstable
	if !randomDivision {
		merged.AnyOf = different
		return merged
	}
	// No lot decides whether there is room: the order in which estimates were asked for did.
	var failed, placed []scheduleAnswer
	for _, one := range different {
		if one.Error != nil {
			failed = append(failed, one)
		} else {
			placed = append(placed, one)
		}
	}
	if len(failed) > 0 && len(placed) > 0 {
		merged.AnyOf = append(failed, scheduleAnswer{OneOf: placed, Complete: &complete})
	} else {
		merged.OneOf, merged.Complete = different, &complete
	}
	return merged
}

func mergedInto(different []scheduleAnswer, answer scheduleAnswer) bool {
	for i := range different {
		known := &different[i]
		switch {
		case known.Error != nil && answer.Error != nil && known.Error.Kind == answer.Error.Kind:
			known.Error = &scheduleError{Kind: known.Error.Kind, Messages: append(texts(known.Error), texts(answer.Error)...)}
			return true
		case known.Error == nil && answer.Error == nil && sameClusters(known.Clusters, answer.Clusters):
			unstable := false
			known.OrderStable, known.Clusters = &unstable, sortedByName(known.Clusters)
			return true
		}
	}
	return false
}

func texts(e *scheduleError) []string {
	if e.Message != "" {
		return []string{e.Message}
	}
	return e.Messages
}

func sameClusters(a, b []workv1alpha2.TargetCluster) bool {
	if len(a) != len(b) {
		return false
	}
	a, b = sortedByName(a), sortedByName(b)
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Replicas != b[i].Replicas {
			return false
		}
	}
	return true
}

func sortedByName(clusters []workv1alpha2.TargetCluster) []workv1alpha2.TargetCluster {
	sorted := append([]workv1alpha2.TargetCluster(nil), clusters...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	return sorted
}
