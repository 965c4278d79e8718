package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

// waitsForDirectPurge reports whether a Work that is purged directly is still there, so that nothing is written yet.
func waitsForDirectPurge(ctx context.Context, api client.Client, spec workv1alpha2.ResourceBindingSpec) bool {
	works, err := helper.FindWorksInClusters(ctx, api, "default", "w", bindingID, helper.ObtainClustersWithPurgeModeDirectly(spec))
	mustDo(err)
	return len(works) > 0
}
