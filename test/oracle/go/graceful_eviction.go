package main

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

type gracefulEvictionInput struct {
	Now                         metav1.Time                         `json:"now"`
	TimeoutSeconds              int64                               `json:"gracefulEvictionTimeoutSeconds"`
	Tasks                       []workv1alpha2.GracefulEvictionTask `json:"gracefulEvictionTasks"`
	Clusters                    []workv1alpha2.TargetCluster        `json:"clusters"`
	AggregatedStatus            []workv1alpha2.AggregatedStatusItem `json:"aggregatedStatus"`
	Generation                  int64                               `json:"generation"`
	SchedulerObservedGeneration int64                               `json:"schedulerObservedGeneration"`
}

// assessmentOption has the layout of the struct of that name in Karmada's package gracefuleviction.
type assessmentOption struct {
	timeout        time.Duration
	scheduleResult []workv1alpha2.TargetCluster
	observedStatus []workv1alpha2.AggregatedStatusItem
	hasScheduled   bool
}

func evictGracefully(t *testing.T, input *gracefulEvictionInput) any {
	if passedOver(input) {
		return map[string]any{"keptTasks": input.Tasks, "ignored": true}
	}
	answer := map[string]any{}
	at(t, input.Now.Time, func() {
		timeout := time.Duration(input.TimeoutSeconds) * time.Second
		kept, evicted := assessTasks(input, timeout)
		retry := nextRetry(kept, timeout, time.Now())
		answer = map[string]any{
			"keptTasks":       kept,
			"evictedClusters": evicted,
			"nextRetryNs":     retry,
			"requeueAfterNs":  max(0, retry),
		}
	})
	return answer
}

type evictClusterInput struct {
	Spec    workv1alpha2.ResourceBindingSpec `json:"spec"`
	Cluster string                           `json:"cluster"`
	Options struct {
		PurgeMode              string            `json:"purgeMode"`
		Producer               string            `json:"producer"`
		Reason                 string            `json:"reason"`
		Message                string            `json:"message"`
		GracePeriodSeconds     *int32            `json:"gracePeriodSeconds"`
		SuppressDeletion       *bool             `json:"suppressDeletion"`
		PreservedLabelState    map[string]string `json:"preservedLabelState"`
		ClustersBeforeFailover []string          `json:"clustersBeforeFailover"`
	} `json:"options"`
}

func evictCluster(_ *testing.T, input *evictClusterInput) any {
	options := input.Options
	input.Spec.GracefulEvictCluster(input.Cluster, workv1alpha2.NewTaskOptions(
		workv1alpha2.WithPurgeMode(policyv1alpha1.PurgeMode(options.PurgeMode)),
		workv1alpha2.WithProducer(options.Producer),
		workv1alpha2.WithReason(options.Reason),
		workv1alpha2.WithMessage(options.Message),
		workv1alpha2.WithGracePeriodSeconds(options.GracePeriodSeconds),
		workv1alpha2.WithSuppressDeletion(options.SuppressDeletion),
		workv1alpha2.WithPreservedLabelState(options.PreservedLabelState),
		workv1alpha2.WithClustersBeforeFailover(options.ClustersBeforeFailover)))
	return map[string]any{"clusters": input.Spec.Clusters, "gracefulEvictionTasks": input.Spec.GracefulEvictionTasks}
}
