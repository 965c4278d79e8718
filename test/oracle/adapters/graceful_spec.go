package main

import (
	"time"
	_ "unsafe" // for go:linkname

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

//go:linkname assessEvictionTasks github.com/karmada-io/karmada/pkg/controllers/gracefuleviction.assessEvictionTasks
func assessEvictionTasks(spec workv1alpha2.ResourceBindingSpec, observed []workv1alpha2.AggregatedStatusItem, timeout time.Duration, now metav1.Time) ([]workv1alpha2.GracefulEvictionTask, []string)

func assessTasks(input *gracefulEvictionInput, timeout time.Duration) ([]workv1alpha2.GracefulEvictionTask, []string) {
	spec := workv1alpha2.ResourceBindingSpec{Clusters: input.Clusters, GracefulEvictionTasks: input.Tasks}
	return assessEvictionTasks(spec, input.AggregatedStatus, timeout, metav1.Now())
}

// passedOver reports whether the event handlers of the controller let no change of the binding through: what its present
// spec comes to has not been scheduled.
func passedOver(input *gracefulEvictionInput) bool {
	return len(input.Tasks) > 0 && input.SchedulerObservedGeneration != input.Generation
}
