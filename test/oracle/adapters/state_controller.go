package main

import (
	_ "unsafe" // for go:linkname

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
)

//go:linkname buildPreservedLabelState github.com/karmada-io/karmada/pkg/controllers/applicationfailover.buildPreservedLabelState
func buildPreservedLabelState(preservation *policyv1alpha1.StatePreservation, status []byte) (map[string]string, error)
