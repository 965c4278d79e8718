package main

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	karmadafake "github.com/karmada-io/karmada/pkg/generated/clientset/versioned/fake"
	informers "github.com/karmada-io/karmada/pkg/generated/informers/externalversions"
	karmadascheduler "github.com/karmada-io/karmada/pkg/scheduler"
	"github.com/karmada-io/karmada/pkg/scheduler/core"
	"github.com/karmada-io/karmada/pkg/util/gclient"
)

type scheduleBindingInput struct {
	Clusters                       []*clusterv1alpha1.Cluster    `json:"clusters"`
	Binding                        *workv1alpha2.ResourceBinding `json:"binding"`
	EnableEmptyWorkloadPropagation bool                          `json:"enableEmptyWorkloadPropagation"`
	Gates                          map[string]bool               `json:"featureGates"`
}

// bindingScheduler is Karmada's scheduler without its queue: the informers hold what a question gives.
type bindingScheduler struct {
	scheduler *karmadascheduler.Scheduler
	algorithm core.ScheduleAlgorithm
	clusters  cache.Indexer
	bindings  cache.Indexer
	// questioned are the clusters of the question
	questioned []*clusterv1alpha1.Cluster
	attempts   []attempt
	// ambiguous reports that some cluster was refused for several reasons, of which one is reported
	ambiguous bool
}

type attempt struct {
	AffinityName string                       `json:"affinityName,omitempty"`
	Clusters     []workv1alpha2.TargetCluster `json:"clusters,omitempty"`
	ErrorKind    string                       `json:"errorKind,omitempty"`
}

type condition struct {
	Status  metav1.ConditionStatus `json:"status"`
	Reason  string                 `json:"reason,omitempty"`
	Message string                 `json:"message,omitempty"`
}

type storedBinding struct {
	Scheduled                bool                         `json:"scheduled"`
	Attempts                 []attempt                    `json:"attempts,omitempty"`
	Clusters                 []workv1alpha2.TargetCluster `json:"clusters"`
	ObservingAffinityName    string                       `json:"schedulerObservingAffinityName,omitempty"`
	ScheduledCondition       *condition                   `json:"scheduledCondition,omitempty"`
	ObservedGeneration       int64                        `json:"schedulerObservedGeneration,omitempty"`
	LastScheduledTimeUpdated bool                         `json:"lastScheduledTimeUpdated,omitempty"`
	Retry                    bool                         `json:"retry,omitempty"`
	OrderStable              *bool                        `json:"orderStable,omitempty"`
}

func newBindingScheduler() *bindingScheduler {
	scheduler, err := karmadascheduler.NewScheduler(
		dynamicfake.NewSimpleDynamicClient(gclient.NewSchema()), karmadafake.NewSimpleClientset(), kubefake.NewSimpleClientset(),
		karmadascheduler.WithEnableSchedulerPlugin([]string{"*"}))
	if err != nil {
		panic(err)
	}
	setField(scheduler, "eventRecorder", &record.FakeRecorder{})
	factory := internal(scheduler, "informerFactory").Interface().(informers.SharedInformerFactory)
	s := &bindingScheduler{
		scheduler: scheduler,
		algorithm: scheduler.Algorithm,
		clusters:  factory.Cluster().V1alpha1().Clusters().Informer().GetIndexer(),
		bindings:  factory.Work().V1alpha2().ResourceBindings().Informer().GetIndexer(),
	}
	scheduler.Algorithm = s
	return s
}

// Schedule remembers every attempt that Karmada's algorithm makes.
func (s *bindingScheduler) Schedule(ctx context.Context, spec *workv1alpha2.ResourceBindingSpec, status *workv1alpha2.ResourceBindingStatus, option *core.ScheduleAlgorithmOption) (core.ScheduleResult, error) {
	result, err := s.algorithm.Schedule(ctx, spec, status, option)
	made := attempt{Clusters: result.SuggestedClusters}
	if len(spec.Placement.ClusterAffinities) > 0 {
		made.AffinityName = status.SchedulerObservedAffinityName
	}
	if err != nil {
		made.Clusters, made.ErrorKind = nil, kindOfError(err)
		for _, refusals := range scheduling.start("").diagnose(s.questioned, spec, status) {
			s.ambiguous = s.ambiguous || len(refusals) > 1
		}
	}
	s.attempts = append(s.attempts, made)
	return result, err
}

// bindingTime is when bindings are scheduled; no decision depends on it.
var bindingTime = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func (s *bindingScheduler) scheduleBinding(t *testing.T, input *scheduleBindingInput) any {
	defer setGates(input.Gates)()
	var answer storedBinding
	s.ambiguous = false
	at(t, bindingTime, func() {
		_, answer = s.run(input.Binding, input.Clusters, input.EnableEmptyWorkloadPropagation)
	})
	return answer
}

// run schedules one binding and reports how it is stored afterwards.
func (s *bindingScheduler) run(binding *workv1alpha2.ResourceBinding, clusters []*clusterv1alpha1.Cluster, emptyWorkloads bool) (*workv1alpha2.ResourceBinding, storedBinding) {
	objects := make([]any, len(clusters))
	for i, cluster := range clusters {
		objects[i] = cluster
	}
	s.questioned = clusters
	mustDo(s.clusters.Replace(objects, ""))
	mustDo(s.bindings.Replace([]any{binding}, ""))
	api := karmadafake.NewSimpleClientset(binding.DeepCopy())
	s.scheduler.KarmadaClient = api
	setField(s.scheduler, "enableEmptyWorkloadPropagation", emptyWorkloads)
	before := s.ambiguous
	s.attempts, s.ambiguous = nil, false
	err := doScheduleBinding(s.scheduler, binding.Namespace, binding.Name)
	if len(s.attempts) == 0 {
		// the condition is the one of the run before
		s.ambiguous = before
	}

	stored, getErr := api.WorkV1alpha2().ResourceBindings(binding.Namespace).Get(context.Background(), binding.Name, metav1.GetOptions{})
	mustDo(getErr)
	answer := storedBinding{
		Scheduled:                len(s.attempts) > 0,
		Attempts:                 s.attempts,
		Clusters:                 stored.Spec.Clusters,
		ObservingAffinityName:    stored.Status.SchedulerObservedAffinityName,
		ObservedGeneration:       stored.Status.SchedulerObservedGeneration,
		LastScheduledTimeUpdated: !reflect.DeepEqual(stored.Status.LastScheduledTime, binding.Status.LastScheduledTime),
		Retry:                    err != nil,
	}
	if reported := meta.FindStatusCondition(stored.Status.Conditions, workv1alpha2.Scheduled); reported != nil {
		answer.ScheduledCondition = &condition{reported.Status, reported.Reason, reported.Message}
		if reported.Reason == workv1alpha2.BindingReasonNoClusterFit && s.ambiguous {
			answer.ScheduledCondition.Message = ""
		}
	}
	return stored, answer
}

// mergeBindings leaves open what varies: the message of the condition and the order of clusters.
func mergeBindings(answers []any, complete bool) any {
	var different []storedBinding
	for _, one := range answers {
		answer := one.(storedBinding)
		joined := false
		for i := range different {
			joined = joined || joinedBindings(&different[i], answer)
		}
		if !joined {
			different = append(different, answer)
		}
	}
	if len(different) == 1 && (complete || !randomDivision) {
		return different[0]
	}
	if !randomDivision {
		return map[string]any{"anyOf": different}
	}
	// No lot decides which attempts find room: the order in which estimates were asked for did.
	var groups [][]storedBinding
	for _, one := range different {
		known := slices.IndexFunc(groups, func(group []storedBinding) bool { return sameFailures(group[0], one) })
		if known < 0 {
			groups = append(groups, []storedBinding{one})
		} else {
			groups[known] = append(groups[known], one)
		}
	}
	alternatives := []map[string]any{}
	for _, group := range groups {
		alternatives = append(alternatives, map[string]any{"oneOf": group, "complete": complete})
	}
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return map[string]any{"anyOf": alternatives}
}

// sameFailures reports whether the same attempts of two answers failed, in the same way.
func sameFailures(a, b storedBinding) bool {
	return a.Retry == b.Retry && slices.EqualFunc(a.Attempts, b.Attempts, func(one, other attempt) bool {
		return one.AffinityName == other.AffinityName && one.ErrorKind == other.ErrorKind
	})
}

func joinedBindings(known *storedBinding, other storedBinding) bool {
	a, b := withoutVariance(*known), withoutVariance(other)
	if !reflect.DeepEqual(a, b) {
		return false
	}
	if known.ScheduledCondition != nil && known.ScheduledCondition.Message != other.ScheduledCondition.Message {
		silent := *known.ScheduledCondition
		silent.Message = ""
		known.ScheduledCondition = &silent
	}
	if !randomDivision && !reflect.DeepEqual(known.Clusters, other.Clusters) {
		message := known.ScheduledCondition
		unstable := false
		*known = a
		known.ScheduledCondition, known.OrderStable = message, &unstable
	}
	return true
}

func withoutVariance(one storedBinding) storedBinding {
	if !randomDivision {
		one.Clusters = sortedByName(one.Clusters)
		one.Attempts = append([]attempt(nil), one.Attempts...)
		for i := range one.Attempts {
			one.Attempts[i].Clusters = sortedByName(one.Attempts[i].Clusters)
		}
	}
	if one.ScheduledCondition != nil {
		silent := *one.ScheduledCondition
		silent.Message = ""
		one.ScheduledCondition = &silent
	}
	one.OrderStable = nil
	return one
}
