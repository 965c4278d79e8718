package main

import (
	"context"
	"maps"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"

	workv1alpha1 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/helper"
	"github.com/karmada-io/karmada/pkg/util/names"
)

type workEvictionInput struct {
	Spec             workv1alpha2.ResourceBindingSpec `json:"spec"`
	Existing         []string                         `json:"existingWorkClusters"`
	PendingFinalizer []string                         `json:"workClustersWithPendingFinalizer"`
	TemplateLabels   map[string]string                `json:"templateLabels"`
	Gates            map[string]bool                  `json:"featureGates"`
}

const bindingID = "binding"

func evictWorks(_ *testing.T, input *workEvictionInput) any {
	defer setGates(input.Gates)()
	pending := sets.New(input.PendingFinalizer...)
	var works []client.Object
	for _, cluster := range input.Existing {
		work := &workv1alpha1.Work{ObjectMeta: metav1.ObjectMeta{
			Name:      "w",
			Namespace: names.GenerateExecutionSpaceName(cluster),
			Labels:    map[string]string{workv1alpha2.ResourceBindingPermanentIDLabel: bindingID},
		}}
		if pending.Has(cluster) {
			work.Finalizers = []string{"karmada.io/execution-controller"}
		}
		works = append(works, work)
	}
	api := newClient(works...)
	ctx := context.Background()
	expected := helper.ObtainBindingSpecExistingClusters(input.Spec)
	orphans, err := helper.FindOrphanWorks(ctx, api, "default", "w", bindingID, expected)
	if err != nil {
		panic(refusal{err})
	}
	if err := helper.RemoveOrphanWorks(ctx, api, orphans); err != nil {
		panic(refusal{err})
	}
	answer := map[string]any{
		"expectedWorkClusters": sets.List(expected),
		"works":                fates(api, input.Existing),
		"waitForDirectPurge":   false,
	}
	if waitsForDirectPurge(ctx, api, input.Spec) {
		answer["waitForDirectPurge"], answer["requeueAfterSeconds"] = true, 5
		return answer
	}
	var written []any
	targets := mergeTargetClusters(input.Spec.Clusters, input.Spec.RequiredBy)
	for _, target := range targets {
		template := &unstructured.Unstructured{Object: map[string]any{}}
		template.SetLabels(input.TemplateLabels)
		if gateEnabled("StatefulFailoverInjection") {
			template = injectReservedLabelState(input.Spec, target, template, len(targets))
		}
		labels := map[string]string{}
		maps.Copy(labels, template.GetLabels())
		written = append(written, map[string]any{"name": target.Name, "replicas": target.Replicas, "labels": labels})
	}
	answer["sync"] = written
	return answer
}

func fates(api client.Client, clusters []string) map[string]string {
	fates := map[string]string{}
	for _, cluster := range clusters {
		var work workv1alpha1.Work
		err := api.Get(context.Background(), client.ObjectKey{Namespace: names.GenerateExecutionSpaceName(cluster), Name: "w"}, &work)
		switch {
		case apierrors.IsNotFound(err):
			fates[cluster] = "deleted"
		case err != nil:
			panic(refusal{err})
		case work.DeletionTimestamp != nil:
			fates[cluster] = "deleting"
		default:
			fates[cluster] = "kept"
		}
	}
	return fates
}
