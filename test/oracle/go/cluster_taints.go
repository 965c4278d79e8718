package main

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/karmada-io/karmada/pkg/util/lifted"
)

type clusterTaintsInput struct {
	Taints []corev1.Taint `json:"taints"`
}

// refuseTaints answers what the aggregated API server says to taints of a Cluster.
func refuseTaints(_ *testing.T, input *clusterTaintsInput) any {
	errors := []map[string]any{}
	for _, err := range lifted.ValidateClusterTaints(input.Taints, field.NewPath("spec", "taints")) {
		errors = append(errors, map[string]any{"field": err.Field, "message": err.Error()})
	}
	return map[string]any{"errors": errors}
}
