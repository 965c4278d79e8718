package main

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	clustercontroller "github.com/karmada-io/karmada/pkg/controllers/cluster"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/clustereviction"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/tainttoleration"
	"github.com/karmada-io/karmada/pkg/util"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

type tolerationsInput struct {
	Now     metav1.Time                      `json:"now"`
	Cluster *clusterv1alpha1.Cluster         `json:"cluster"`
	Spec    workv1alpha2.ResourceBindingSpec `json:"spec"`
}

func tolerate(t *testing.T, input *tolerationsInput) any {
	answer := map[string]any{}
	at(t, input.Now.Time, func() {
		var tolerations []corev1.Toleration
		placement := []byte("{}")
		if input.Spec.Placement != nil {
			tolerations = input.Spec.Placement.ClusterTolerations
			placement, _ = json.Marshal(input.Spec.Placement)
		}
		taints := helper.GetNoExecuteTaints(input.Cluster.Spec.Taints)
		all, used := helper.GetMatchingTolerations(taints, tolerations)
		binding := &workv1alpha2.ResourceBinding{
			ObjectMeta: metav1.ObjectMeta{
				Name:        "w",
				Namespace:   "default",
				Annotations: map[string]string{util.PolicyPlacementAnnotation: string(placement)},
			},
			Spec: input.Spec,
		}
		binding.Spec.Clusters = []workv1alpha2.TargetCluster{{Name: input.Cluster.Name}}
		manager, queue := newTaintManager(true, "", input.Cluster, binding)
		needEviction, remaining, err := needEviction(manager, input.Cluster.Name, binding.Annotations)
		if err != nil {
			panic(refusal{err})
		}
		if remaining == 0 {
			needEviction = true
		}
		// A taint that nothing tolerates leaves no time; without taints there is no end.
		minimum := remaining
		if all && len(taints) > 0 {
			minimum = minTolerationTime(taints, used)
		}
		answer = map[string]any{
			"noExecute": map[string]any{
				"allTolerated":        all,
				"usedTolerations":     used,
				"minTolerationTimeNs": minimum,
			},
			"needEviction":     needEviction,
			"tolerationTimeNs": remaining,
			"enqueue":          queue.enqueued(manager, input.Cluster.Name),
			"taintToleration":  fit(tainttoleration.New, &input.Spec, input.Cluster),
			"clusterEviction":  fit(clustereviction.New, &input.Spec, input.Cluster),
		}
	})
	return answer
}

func fit(factory func() (framework.Plugin, error), spec *workv1alpha2.ResourceBindingSpec, cluster *clusterv1alpha1.Cluster) any {
	plugin, err := factory()
	if err != nil {
		panic(err)
	}
	result := plugin.(framework.FilterPlugin).Filter(context.Background(), spec, &workv1alpha2.ResourceBindingStatus{}, cluster)
	if result.IsSuccess() {
		return map[string]any{"fit": true}
	}
	return map[string]any{"fit": false, "reason": result.AsError().Error()}
}

// evictionQueue takes the place of the taint manager's workers and remembers what was put into it.
type evictionQueue struct {
	util.AsyncWorker
	now, later int
	after      time.Duration
}

func (q *evictionQueue) Add(any)     { q.now++ }
func (q *evictionQueue) Enqueue(any) { q.now++ }
func (q *evictionQueue) AddAfter(_ any, duration time.Duration) {
	q.later++
	q.after = duration
}

func (q *evictionQueue) enqueued(manager *clustercontroller.NoExecuteTaintManager, cluster string) string {
	*q = evictionQueue{}
	request := reconcile.Request{NamespacedName: types.NamespacedName{Name: cluster}}
	if _, err := manager.Reconcile(context.Background(), request); err != nil {
		panic(refusal{err})
	}
	switch {
	case q.now > 0:
		return "immediate"
	case q.later > 0:
		return "after"
	default:
		return "skip"
	}
}

func newTaintManager(enabled bool, purgeMode string, objects ...client.Object) (*clustercontroller.NoExecuteTaintManager, *evictionQueue) {
	queue := &evictionQueue{}
	manager := &clustercontroller.NoExecuteTaintManager{
		Client:        newClient(objects...),
		EventRecorder: &record.FakeRecorder{},
	}
	configureTaintManager(manager, enabled, purgeMode)
	setField(manager, "bindingEvictionWorker", queue)
	setField(manager, "clusterBindingEvictionWorker", queue)
	return manager, queue
}
