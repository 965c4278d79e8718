package main

import (
	"context"
	"time"
	_ "unsafe" // for go:linkname

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/controllers/applicationfailover"
	_ "github.com/karmada-io/karmada/pkg/controllers/binding"
	clustercontroller "github.com/karmada-io/karmada/pkg/controllers/cluster"
	_ "github.com/karmada-io/karmada/pkg/controllers/gracefuleviction"
	"github.com/karmada-io/karmada/pkg/scheduler"
	"github.com/karmada-io/karmada/pkg/util"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What Karmada keeps inside its packages is linked by name.

//go:linkname needEviction github.com/karmada-io/karmada/pkg/controllers/cluster.(*NoExecuteTaintManager).needEviction
func needEviction(manager *clustercontroller.NoExecuteTaintManager, cluster string, annotations map[string]string) (bool, time.Duration, error)

//go:linkname syncBindingEviction github.com/karmada-io/karmada/pkg/controllers/cluster.(*NoExecuteTaintManager).syncBindingEviction
func syncBindingEviction(manager *clustercontroller.NoExecuteTaintManager, key util.QueueKey) error

//go:linkname monitorClusterHealth github.com/karmada-io/karmada/pkg/controllers/cluster.(*Controller).monitorClusterHealth
func monitorClusterHealth(controller *clustercontroller.Controller, ctx context.Context) error

//go:linkname nextRetry github.com/karmada-io/karmada/pkg/controllers/gracefuleviction.nextRetry
func nextRetry(tasks []workv1alpha2.GracefulEvictionTask, timeout time.Duration, now time.Time) time.Duration

//go:linkname clustersByHealth github.com/karmada-io/karmada/pkg/controllers/applicationfailover.distinguishUnhealthyClustersWithOthers
func clustersByHealth(items []workv1alpha2.AggregatedStatusItem, spec workv1alpha2.ResourceBindingSpec) (unhealthy, others []string)

//go:linkname bindingFilter github.com/karmada-io/karmada/pkg/controllers/applicationfailover.(*RBApplicationFailoverController).bindingFilter
func bindingFilter(controller *applicationfailover.RBApplicationFailoverController, binding *workv1alpha2.ResourceBinding) bool

//go:linkname evictBinding github.com/karmada-io/karmada/pkg/controllers/applicationfailover.(*RBApplicationFailoverController).evictBinding
func evictBinding(controller *applicationfailover.RBApplicationFailoverController, binding *workv1alpha2.ResourceBinding, clusters []string) error

//go:linkname mergeTargetClusters github.com/karmada-io/karmada/pkg/controllers/binding.mergeTargetClusters
func mergeTargetClusters(clusters []workv1alpha2.TargetCluster, requiredBy []workv1alpha2.BindingSnapshot) []workv1alpha2.TargetCluster

//go:linkname injectReservedLabelState github.com/karmada-io/karmada/pkg/controllers/binding.injectReservedLabelState
func injectReservedLabelState(spec workv1alpha2.ResourceBindingSpec, to workv1alpha2.TargetCluster, workload *unstructured.Unstructured, clusters int) *unstructured.Unstructured

//go:linkname doScheduleBinding github.com/karmada-io/karmada/pkg/scheduler.(*Scheduler).doScheduleBinding
func doScheduleBinding(s *scheduler.Scheduler, namespace, name string) error
