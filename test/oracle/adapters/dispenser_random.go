package main

import (
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

// randomDivision reports whether ties are broken at random.
const randomDivision = true

func spreadReplicas(input *dispenserInput) []workv1alpha2.TargetCluster {
	return helper.SpreadReplicasByTargetClusters(input.NumReplicas, input.TargetClusters, input.Init)
}

func takeByWeight(input *dispenserInput, weights helper.ClusterWeightInfoList) []workv1alpha2.TargetCluster {
	dispenser := helper.NewDispenser(input.NumReplicas, input.Init)
	dispenser.TakeByWeight(weights)
	return dispenser.Result
}
