package main

import (
	"k8s.io/apimachinery/pkg/types"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

// randomDivision reports whether ties are broken at random.
const randomDivision = false

func spreadReplicas(input *dispenserInput) []workv1alpha2.TargetCluster {
	return helper.SpreadReplicasByTargetClusters(input.NumReplicas, input.TargetClusters, input.Init, types.UID(input.UID))
}

func takeByWeight(input *dispenserInput, weights helper.ClusterWeightInfoList) []workv1alpha2.TargetCluster {
	dispenser := helper.NewDispenser(input.NumReplicas, input.Init, types.UID(input.UID))
	dispenser.AllocateByWeight(weights)
	return dispenser.Result
}
