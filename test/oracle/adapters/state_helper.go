package main

import (
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

func buildPreservedLabelState(preservation *policyv1alpha1.StatePreservation, status []byte) (map[string]string, error) {
	return helper.BuildPreservedLabelState(preservation, status)
}
