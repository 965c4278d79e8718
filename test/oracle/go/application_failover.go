package main

import (
	"context"
	"maps"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1alpha1 "github.com/karmada-io/karmada/pkg/apis/config/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/controllers/applicationfailover"
	"github.com/karmada-io/karmada/pkg/resourceinterpreter"
	"github.com/karmada-io/karmada/pkg/resourceinterpreter/default/native"
	"github.com/karmada-io/karmada/pkg/resourceinterpreter/default/thirdparty"
)

type applicationFailoverInput struct {
	Binding *workv1alpha2.ResourceBinding `json:"binding"`
	Gates   map[string]bool               `json:"featureGates"`
	Steps   []struct {
		Now              metav1.Time                         `json:"now"`
		AggregatedStatus []workv1alpha2.AggregatedStatusItem `json:"aggregatedStatus"`
		SetClusters      []workv1alpha2.TargetCluster        `json:"setClusters"`
		ClearTasks       bool                                `json:"clearGracefulEvictionTasks"`
	} `json:"steps"`
}

// bundledInterpreters knows the kinds that Karmada can judge the health of by itself.
type bundledInterpreters struct {
	resourceinterpreter.ResourceInterpreter
	native     *native.DefaultInterpreter
	thirdParty *thirdparty.ConfigurableInterpreter
}

func (b *bundledInterpreters) HookEnabled(kind schema.GroupVersionKind, operation configv1alpha1.InterpreterOperation) bool {
	return b.thirdParty.HookEnabled(kind, operation) || b.native.HookEnabled(kind, operation)
}

var interpreters = &bundledInterpreters{native: native.NewDefaultInterpreter(), thirdParty: thirdparty.NewConfigurableInterpreter()}

func failOverApplication(t *testing.T, input *applicationFailoverInput) any {
	defer setGates(input.Gates)()
	var steps []any
	if len(input.Steps) == 0 {
		return map[string]any{"steps": steps}
	}
	at(t, input.Steps[0].Now.Time, func() {
		ctx := context.Background()
		input.Binding.Status.AggregatedStatus = nil
		api := newClient(input.Binding)
		controller := &applicationfailover.RBApplicationFailoverController{
			Client:              api,
			EventRecorder:       &record.FakeRecorder{},
			ResourceInterpreter: interpreters,
		}
		newWithMap(controller, "workloadUnhealthyMap", "workloadUnhealthy")
		key := types.NamespacedName{Namespace: input.Binding.Namespace, Name: input.Binding.Name}
		for _, step := range input.Steps {
			sleepUntil(step.Now.Time)
			binding := get(api, key.Namespace, key.Name, &workv1alpha2.ResourceBinding{})
			if len(step.SetClusters) > 0 {
				binding.Spec.Clusters = step.SetClusters
			}
			if step.ClearTasks {
				binding.Spec.GracefulEvictionTasks = nil
			}
			mustDo(api.Update(ctx, binding))
			binding.Status.AggregatedStatus = step.AggregatedStatus
			mustDo(api.Status().Update(ctx, binding))

			var unhealthy, others []string
			if bindingFilter(controller, binding) {
				unhealthy, others = clustersByHealth(binding.Status.AggregatedStatus, binding.Spec)
			}
			result, err := controller.Reconcile(ctx, reconcile.Request{NamespacedName: key})
			stored := get(api, key.Namespace, key.Name, &workv1alpha2.ResourceBinding{})
			reported := map[string]any{
				"unhealthyClusters":     unhealthy,
				"otherClusters":         others,
				"requeueAfterSeconds":   result.RequeueAfter.Seconds(),
				"clusters":              stored.Spec.Clusters,
				"gracefulEvictionTasks": stored.Spec.GracefulEvictionTasks,
				"trackedUnhealthySince": unhealthySince(controller, key),
			}
			if err != nil {
				reported["error"] = err.Error()
			}
			steps = append(steps, reported)
		}
	})
	return map[string]any{"steps": steps}
}

func unhealthySince(controller *applicationfailover.RBApplicationFailoverController, key types.NamespacedName) map[string]metav1.Time {
	all := internal(internal(controller, "workloadUnhealthyMap").Interface(), "workloadUnhealthy")
	since := map[string]metav1.Time{}
	maps.Copy(since, all.Interface().(map[types.NamespacedName]map[string]metav1.Time)[key])
	return since
}

func mustDo(err error) {
	if err != nil {
		panic(refusal{err})
	}
}

type failoverTaskInput struct {
	Application      *policyv1alpha1.ApplicationFailoverBehavior `json:"application"`
	AggregatedStatus []workv1alpha2.AggregatedStatusItem         `json:"aggregatedStatus"`
	Spec             workv1alpha2.ResourceBindingSpec            `json:"spec"`
	Cluster          string                                      `json:"cluster"`
	Gates            map[string]bool                             `json:"featureGates"`
}

func evictFailedApplication(_ *testing.T, input *failoverTaskInput) any {
	defer setGates(input.Gates)()
	binding := &workv1alpha2.ResourceBinding{Spec: input.Spec}
	binding.Spec.Failover = &policyv1alpha1.FailoverBehavior{Application: input.Application}
	binding.Status.AggregatedStatus = input.AggregatedStatus
	controller := &applicationfailover.RBApplicationFailoverController{EventRecorder: &record.FakeRecorder{}}
	if err := evictBinding(controller, binding, []string{input.Cluster}); err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"clusters": binding.Spec.Clusters, "gracefulEvictionTasks": binding.Spec.GracefulEvictionTasks}
}

type statePreservationInput struct {
	StatePreservation *policyv1alpha1.StatePreservation `json:"statePreservation"`
	RawStatus         string                            `json:"rawStatus"`
}

func preserveState(_ *testing.T, input *statePreservationInput) any {
	labels, err := buildPreservedLabelState(input.StatePreservation, []byte(input.RawStatus))
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"labels": labels}
}

func mergeStates(answers []any, _ bool) any {
	if len(answers) == 1 {
		return answers[0]
	}
	return map[string]any{"oneOfUnordered": answers}
}
