package main

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/fedinformer/keys"
)

type taintManagerInput struct {
	Now       metav1.Time                   `json:"now"`
	Cluster   *clusterv1alpha1.Cluster      `json:"cluster"`
	Binding   *workv1alpha2.ResourceBinding `json:"binding"`
	PurgeMode string                        `json:"noExecuteTaintEvictionPurgeMode"`
	Enabled   bool                          `json:"enableNoExecuteTaintEviction"`
	Gates     map[string]bool               `json:"featureGates"`
}

func evictByTaint(t *testing.T, input *taintManagerInput) any {
	defer setGates(input.Gates)()
	answer := map[string]any{}
	at(t, input.Now.Time, func() {
		input.Binding.APIVersion, input.Binding.Kind = "work.karmada.io/v1alpha2", "ResourceBinding"
		manager, queue := newTaintManager(input.Enabled, input.PurgeMode, input.Cluster, input.Binding)
		key, err := keys.FederatedKeyFunc(input.Cluster.Name, input.Binding)
		if err != nil {
			panic(refusal{err})
		}
		if err := syncBindingEviction(manager, key); err != nil {
			answer["error"] = err.Error()
		}
		stored := get(manager.Client, input.Binding.Namespace, input.Binding.Name, &workv1alpha2.ResourceBinding{})
		answer["clusters"], answer["gracefulEvictionTasks"] = stored.Spec.Clusters, stored.Spec.GracefulEvictionTasks
		if queue.later > 0 {
			answer["retryAfterNs"] = queue.after
		}
	})
	return answer
}
