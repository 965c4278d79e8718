package main

import (
	"testing"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

type dispenserInput struct {
	Mode           string                       `json:"mode"`
	NumReplicas    int32                        `json:"numReplicas"`
	TargetClusters []workv1alpha2.TargetCluster `json:"targetClusters"`
	Weights        []weight                     `json:"weights"`
	Init           []workv1alpha2.TargetCluster `json:"init"`
	UID            string                       `json:"uid"`
}

type weight struct {
	ClusterName  string `json:"clusterName"`
	Weight       int64  `json:"weight"`
	LastReplicas int32  `json:"lastReplicas"`
}

func dispense(_ *testing.T, input *dispenserInput) any {
	var result []workv1alpha2.TargetCluster
	if input.Mode == "spread" {
		result = spreadReplicas(input)
	} else {
		weights := make(helper.ClusterWeightInfoList, len(input.Weights))
		for i, w := range input.Weights {
			weights[i] = helper.ClusterWeightInfo{ClusterName: w.ClusterName, Weight: w.Weight, LastReplicas: w.LastReplicas}
		}
		result = takeByWeight(input, weights)
	}
	if randomDivision {
		result = sortedByName(result)
	}
	return map[string]any{"result": result}
}

func mergeDispensed(answers []any, complete bool) any {
	if len(answers) == 1 && complete {
		return answers[0]
	}
	return map[string]any{"oneOf": answers, "complete": complete}
}
