package main

import (
	"context"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	clustercontroller "github.com/karmada-io/karmada/pkg/controllers/cluster"
	"github.com/karmada-io/karmada/pkg/util"
	"github.com/karmada-io/karmada/pkg/util/names"
)

type clusterHealthInput struct {
	Cluster                *clusterv1alpha1.Cluster `json:"cluster"`
	MonitorGraceSeconds    int64                    `json:"clusterMonitorGracePeriodSeconds"`
	StartupGraceSeconds    int64                    `json:"clusterStartupGracePeriodSeconds"`
	FailoverTimeoutSeconds int64                    `json:"failoverEvictionTimeoutSeconds"`
	Gates                  map[string]bool          `json:"featureGates"`
	Steps                  []clusterHealthStep      `json:"steps"`
}

type clusterHealthStep struct {
	Now            metav1.Time            `json:"now"`
	SetReady       metav1.ConditionStatus `json:"setReady"`
	LeaseRenewTime *metav1.Time           `json:"leaseRenewTime"`
	Delete         bool                   `json:"delete"`
}

// checkInterval is Karmada's default for looking again whether a deleted cluster is empty.
const checkInterval = 10 * time.Second

// healthMonitor is one controller process that watches one cluster.
type healthMonitor struct {
	controller *clustercontroller.Controller
	cluster    string
}

func monitorHealth(t *testing.T, input *clusterHealthInput) any {
	defer setGates(input.Gates)()
	var steps []any
	if len(input.Steps) == 0 {
		return map[string]any{"steps": steps}
	}
	at(t, input.Steps[0].Now.Time, func() {
		controller := &clustercontroller.Controller{
			Client:                    newClient(input.Cluster),
			EventRecorder:             &record.FakeRecorder{},
			ClusterMonitorGracePeriod: time.Duration(input.MonitorGraceSeconds) * time.Second,
			ClusterStartupGracePeriod: time.Duration(input.StartupGraceSeconds) * time.Second,
		}
		configureClusterController(controller, time.Duration(input.FailoverTimeoutSeconds)*time.Second)
		newWithMap(controller, "clusterHealthMap", "clusterHealths")
		monitor := &healthMonitor{controller, input.Cluster.Name}
		for _, step := range input.Steps {
			sleepUntil(step.Now.Time)
			steps = append(steps, monitor.step(step))
		}
	})
	return map[string]any{"steps": steps}
}

func (m *healthMonitor) step(step clusterHealthStep) map[string]any {
	ctx := context.Background()
	if step.Delete {
		return m.delete(ctx)
	}
	if step.SetReady != "" {
		cluster := m.current()
		meta.SetStatusCondition(&cluster.Status.Conditions, metav1.Condition{
			Type: clusterv1alpha1.ClusterConditionReady, Status: step.SetReady, Reason: "FromStatusController",
		})
		mustDo(m.controller.Client.Status().Update(ctx, cluster))
	}
	if step.LeaseRenewTime != nil {
		m.renewLease(ctx, step.LeaseRenewTime.Time)
	}
	m.reconcile(ctx)
	reported := map[string]any{"taintsAfterReconcile": m.current().Spec.Taints}
	mustDo(monitorClusterHealth(m.controller, ctx))
	m.reconcile(ctx)
	cluster := m.current()
	reported["taints"] = cluster.Spec.Taints
	if ready := meta.FindStatusCondition(cluster.Status.Conditions, clusterv1alpha1.ClusterConditionReady); ready != nil {
		reported["ready"] = map[string]any{
			"status": ready.Status, "reason": ready.Reason, "lastTransitionTime": ready.LastTransitionTime,
		}
	}
	return reported
}

// delete looks at a cluster that is being deleted while its execution namespace is still there.
func (m *healthMonitor) delete(ctx context.Context) map[string]any {
	namespace := &corev1.Namespace{}
	name := names.GenerateExecutionSpaceName(m.cluster)
	if err := m.controller.Client.Get(ctx, types.NamespacedName{Name: name}, namespace); err != nil {
		namespace.Name, namespace.Finalizers = name, []string{"oracle/held"}
		mustDo(m.controller.Client.Create(ctx, namespace))
	} else if len(namespace.Finalizers) == 0 {
		namespace.Finalizers = []string{"oracle/held"}
		mustDo(m.controller.Client.Update(ctx, namespace))
	}
	cluster := m.current()
	if cluster.DeletionTimestamp == nil {
		if len(cluster.Finalizers) == 0 {
			cluster.Finalizers = []string{util.ClusterControllerFinalizer}
			mustDo(m.controller.Client.Update(ctx, cluster))
		}
		mustDo(m.controller.Client.Delete(ctx, cluster))
	}
	result := m.reconcile(ctx)
	return map[string]any{"taints": m.current().Spec.Taints, "requeueAfterSeconds": result.RequeueAfter.Seconds()}
}

func (m *healthMonitor) renewLease(ctx context.Context, renewed time.Time) {
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: util.NamespaceClusterLease, Name: m.cluster}}
	err := m.controller.Client.Get(ctx, types.NamespacedName{Namespace: lease.Namespace, Name: lease.Name}, lease)
	lease.Spec.RenewTime = &metav1.MicroTime{Time: renewed}
	if err != nil {
		mustDo(m.controller.Client.Create(ctx, lease))
	} else {
		mustDo(m.controller.Client.Update(ctx, lease))
	}
}

func (m *healthMonitor) current() *clusterv1alpha1.Cluster {
	return get(m.controller.Client, "", m.cluster, &clusterv1alpha1.Cluster{})
}

// reconcile tries again on conflicts, which one reconciliation may have with itself.
func (m *healthMonitor) reconcile(ctx context.Context) reconcile.Result {
	for {
		result, err := m.controller.Reconcile(ctx, reconcile.Request{NamespacedName: types.NamespacedName{Name: m.cluster}})
		if !apierrors.IsConflict(err) {
			mustDo(err)
			return result
		}
	}
}
