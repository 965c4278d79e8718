package main

import (
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/karmada-io/karmada/pkg/webhook/clusterpropagationpolicy"
	"github.com/karmada-io/karmada/pkg/webhook/clustertaintpolicy"
	"github.com/karmada-io/karmada/pkg/webhook/propagationpolicy"
	"github.com/karmada-io/karmada/pkg/webhook/resourcebinding"
)

func laterValidatingHandler(input *webhookInput) admission.Handler {
	switch input.Kind {
	case "ClusterTaintPolicy":
		return &clustertaintpolicy.ValidatingAdmission{Decoder: decoder, AllowNoExecuteTaintPolicy: input.AllowNoExecuteTaintPolicy}
	case "ResourceBinding":
		return &resourcebinding.ValidatingAdmission{Client: newClient(), Decoder: decoder}
	default:
		return nil
	}
}

func mutatingHandler(input *webhookInput) admission.Handler {
	if input.Kind == "ClusterPropagationPolicy" {
		return clusterpropagationpolicy.NewMutatingHandler(decoder)
	}
	return propagationpolicy.NewMutatingHandler(decoder)
}
