package main

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"github.com/karmada-io/karmada/pkg/util/validation"
)

func propagationErrors(spec policyv1alpha1.PropagationSpec, namespace string) field.ErrorList {
	return validation.ValidatePropagationSpec(spec, namespace)
}
