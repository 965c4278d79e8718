package main

import (
	"time"
	_ "unsafe" // for go:linkname

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

//go:linkname assessEvictionTasks github.com/karmada-io/karmada/pkg/controllers/gracefuleviction.assessEvictionTasks
func assessEvictionTasks(tasks []workv1alpha2.GracefulEvictionTask, now metav1.Time, option assessmentOption) ([]workv1alpha2.GracefulEvictionTask, []string)

func assessTasks(input *gracefulEvictionInput, timeout time.Duration) ([]workv1alpha2.GracefulEvictionTask, []string) {
	return assessEvictionTasks(input.Tasks, metav1.Now(), assessmentOption{
		timeout:        timeout,
		scheduleResult: input.Clusters,
		observedStatus: input.AggregatedStatus,
		hasScheduled:   input.SchedulerObservedGeneration == input.Generation,
	})
}

// passedOver reports whether the controller is not woken by changes of the binding: every binding with tasks wakes it.
func passedOver(*gracefulEvictionInput) bool { return false }
