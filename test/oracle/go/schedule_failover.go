package main

import (
	"errors"
	"reflect"
	"slices"
	"sort"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/fedinformer/keys"
)

type scheduleFailoverInput struct {
	scheduleBindingInput `json:",inline"`
	Now                  metav1.Time `json:"now"`
	PurgeMode            string      `json:"noExecuteTaintEvictionPurgeMode"`
	AddTaints            []struct {
		Cluster string         `json:"cluster"`
		Taints  []corev1.Taint `json:"taints"`
	} `json:"addTaints"`
}

type eviction struct {
	Cluster          string `json:"cluster"`
	InTarget         bool   `json:"inTarget"`
	NeedEviction     bool   `json:"needEviction"`
	TolerationTimeNs int64  `json:"tolerationTimeNs"`
}

type failoverAnswer struct {
	First         storedBinding  `json:"first"`
	Second        storedBinding  `json:"second"`
	Evictions     []eviction     `json:"evictions"`
	AfterEviction map[string]any `json:"afterEviction"`
}

func (s *bindingScheduler) failOver(t *testing.T, input *scheduleFailoverInput) any {
	defer setGates(input.Gates)()
	var answer failoverAnswer
	s.ambiguous = false
	at(t, input.Now.Time, func() {
		stored, first := s.run(input.Binding, input.Clusters, input.EnableEmptyWorkloadPropagation)
		tainted := make([]*clusterv1alpha1.Cluster, len(input.Clusters))
		for i, cluster := range input.Clusters {
			tainted[i] = cluster.DeepCopy()
			for _, added := range input.AddTaints {
				if added.Cluster == cluster.Name {
					tainted[i].Spec.Taints = append(tainted[i].Spec.Taints, added.Taints...)
				}
			}
		}
		sort.Slice(input.AddTaints, func(i, j int) bool { return input.AddTaints[i].Cluster < input.AddTaints[j].Cluster })
		for _, added := range input.AddTaints {
			one := eviction{Cluster: added.Cluster, InTarget: stored.Spec.TargetContains(added.Cluster), TolerationTimeNs: -1}
			for _, cluster := range tainted {
				if cluster.Name == added.Cluster {
					stored, one = evictFrom(stored, cluster, input.PurgeMode)
				}
			}
			answer.Evictions = append(answer.Evictions, one)
		}
		answer.AfterEviction = map[string]any{
			"clusters": stored.Spec.Clusters, "gracefulEvictionTasks": stored.Spec.GracefulEvictionTasks,
		}
		stored.Generation++
		_, second := s.run(stored, tainted, input.EnableEmptyWorkloadPropagation)
		answer.First, answer.Second = ofFailover(first), ofFailover(second)
	})
	return answer
}

// evictFrom lets the taint manager look at a binding and one cluster.
func evictFrom(binding *workv1alpha2.ResourceBinding, cluster *clusterv1alpha1.Cluster, purgeMode string) (*workv1alpha2.ResourceBinding, eviction) {
	reported := eviction{Cluster: cluster.Name, InTarget: binding.Spec.TargetContains(cluster.Name), TolerationTimeNs: -1}
	binding.APIVersion, binding.Kind, binding.ResourceVersion = "work.karmada.io/v1alpha2", "ResourceBinding", ""
	manager, _ := newTaintManager(true, purgeMode, cluster.DeepCopy(), binding)
	need, remaining, err := needEviction(manager, cluster.Name, binding.Annotations)
	if err != nil {
		return binding, reported
	}
	reported.NeedEviction, reported.TolerationTimeNs = need || remaining == 0, int64(remaining)
	if !reported.InTarget || !reported.NeedEviction {
		return binding, reported
	}
	key, err := keys.FederatedKeyFunc(cluster.Name, binding)
	mustDo(err)
	mustDo(syncBindingEviction(manager, key))
	return get(manager.Client, binding.Namespace, binding.Name, &workv1alpha2.ResourceBinding{}), reported
}

// ofFailover leaves out what this suite does not report.
func ofFailover(one storedBinding) storedBinding {
	one.LastScheduledTimeUpdated = false
	if len(one.Attempts) < 2 {
		one.Attempts = nil
	}
	return one
}

var errVaries = errors.New("the order of clusters varies, and what follows depends on it")

func mergeFailovers(answers []any, complete bool) any {
	var different []failoverAnswer
	for _, one := range answers {
		answer := one.(failoverAnswer)
		known := false
		for i := range different {
			known = known || sameButForMessages(&different[i], answer)
		}
		if !known {
			different = append(different, answer)
		}
	}
	switch {
	case len(different) == 1:
		return different[0]
	case !randomDivision || roomVaries(different):
		panic(refusal{errVaries})
	default:
		return map[string]any{"oneOf": different, "complete": complete}
	}
}

// roomVaries reports whether only some answers are for want of room: the order in which estimates were asked for did that.
func roomVaries(different []failoverAnswer) bool {
	return slices.ContainsFunc(different, func(one failoverAnswer) bool {
		return one.First.Retry != different[0].First.Retry || one.Second.Retry != different[0].Second.Retry
	})
}

func sameButForMessages(known *failoverAnswer, other failoverAnswer) bool {
	a, b := *known, other
	for _, pair := range [][2]*storedBinding{{&a.First, &b.First}, {&a.Second, &b.Second}} {
		x, y := pair[0].ScheduledCondition, pair[1].ScheduledCondition
		if x != nil && y != nil && x.Message != y.Message {
			silent := *x
			silent.Message = ""
			pair[0].ScheduledCondition = &silent
			silentToo := *y
			silentToo.Message = ""
			pair[1].ScheduledCondition = &silentToo
		}
	}
	if !reflect.DeepEqual(a, b) {
		return false
	}
	*known = a
	return true
}
