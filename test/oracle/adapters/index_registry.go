package main

import "github.com/karmada-io/karmada/pkg/util/indexregistry"

const (
	bindingClusterIndex        = indexregistry.ResourceBindingIndexByFieldCluster
	clusterBindingClusterIndex = indexregistry.ClusterResourceBindingIndexByFieldCluster
	workBindingIndex           = indexregistry.WorkIndexByLabelResourceBindingID
)
