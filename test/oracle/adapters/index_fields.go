package main

import workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"

const (
	bindingClusterIndex        = "rbSpec.clusters"
	clusterBindingClusterIndex = "crbSpec.clusters"
	workBindingIndex           = workv1alpha2.ResourceBindingPermanentIDLabel
)
