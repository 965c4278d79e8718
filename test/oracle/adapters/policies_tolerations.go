package main

import (
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/karmada-io/karmada/pkg/webhook/clusterpropagationpolicy"
	"github.com/karmada-io/karmada/pkg/webhook/propagationpolicy"
)

// laterValidatingHandler knows the kinds that are validated in later versions: here, none.
func laterValidatingHandler(*webhookInput) admission.Handler { return nil }

func mutatingHandler(input *webhookInput) admission.Handler {
	if input.Kind == "ClusterPropagationPolicy" {
		return clusterpropagationpolicy.NewMutatingHandler(input.NotReadySeconds, input.UnreachableSeconds, decoder)
	}
	return propagationpolicy.NewMutatingHandler(input.NotReadySeconds, input.UnreachableSeconds, decoder)
}
