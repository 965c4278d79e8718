package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

// waitsForDirectPurge is never so: this version does not wait.
func waitsForDirectPurge(context.Context, client.Client, workv1alpha2.ResourceBindingSpec) bool {
	return false
}
