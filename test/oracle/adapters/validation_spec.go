package main

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"github.com/karmada-io/karmada/pkg/util/validation"
)

// propagationErrors does without the namespace, which this version does not look at.
func propagationErrors(spec policyv1alpha1.PropagationSpec, _ string) field.ErrorList {
	return validation.ValidatePropagationSpec(spec)
}
