package main

import (
	"context"
	"testing"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins/clusteraffinity"
	"github.com/karmada-io/karmada/pkg/util"
)

type affinityInput struct {
	Clusters []*clusterv1alpha1.Cluster         `json:"clusters"`
	Affinity *policyv1alpha1.ClusterAffinity    `json:"affinity"`
	Spec     *workv1alpha2.ResourceBindingSpec  `json:"spec"`
	Status   workv1alpha2.ResourceBindingStatus `json:"status"`
}

func matchAffinity(_ *testing.T, input *affinityInput) any {
	matches := map[string]bool{}
	if input.Spec == nil {
		var affinity policyv1alpha1.ClusterAffinity
		if input.Affinity != nil {
			affinity = *input.Affinity
		}
		for _, cluster := range input.Clusters {
			matches[cluster.Name] = util.ClusterMatches(cluster, affinity)
		}
		return map[string]any{"matches": matches}
	}
	plugin, err := clusteraffinity.New()
	if err != nil {
		panic(err)
	}
	filter := plugin.(framework.FilterPlugin)
	for _, cluster := range input.Clusters {
		matches[cluster.Name] = filter.Filter(context.Background(), input.Spec, &input.Status, cluster).IsSuccess()
	}
	return map[string]any{"filter": matches}
}
