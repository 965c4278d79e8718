package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"github.com/karmada-io/karmada/pkg/util/gclient"
	"github.com/karmada-io/karmada/pkg/webhook/clusteroverridepolicy"
	"github.com/karmada-io/karmada/pkg/webhook/clusterpropagationpolicy"
	"github.com/karmada-io/karmada/pkg/webhook/overridepolicy"
	"github.com/karmada-io/karmada/pkg/webhook/propagationpolicy"
)

type webhookInput struct {
	Kind                      string                `json:"kind"`
	Operation                 admissionv1.Operation `json:"operation"`
	Namespace                 string                `json:"namespace"`
	Object                    rawJSON               `json:"object"`
	OldObject                 rawJSON               `json:"oldObject"`
	AllowNoExecuteTaintPolicy bool                  `json:"allowNoExecuteTaintPolicy"`
	Gates                     map[string]bool       `json:"featureGates"`
	NotReadySeconds           int64                 `json:"defaultNotReadyTolerationSeconds"`
	UnreachableSeconds        int64                 `json:"defaultUnreachableTolerationSeconds"`
}

// rawJSON is kept as it is: the webhook decodes it.
type rawJSON []byte

func (r *rawJSON) UnmarshalJSON(text []byte) error {
	*r = append((*r)[:0], text...)
	return nil
}

var decoder = admission.NewDecoder(gclient.NewSchema())

func (input *webhookInput) request() admission.Request {
	return admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		Operation: input.Operation,
		Namespace: input.Namespace,
		Object:    runtime.RawExtension{Raw: input.Object},
		OldObject: runtime.RawExtension{Raw: input.OldObject},
	}}
}

func validate(_ *testing.T, input *webhookInput) any {
	defer setGates(input.Gates)()
	handler := validatingHandler(input)
	if handler == nil {
		panic(refusal{fmt.Errorf("this version has no webhook for %s", input.Kind)})
	}
	answer := verdict(handler.Handle(context.Background(), input.request()))
	var spec policyv1alpha1.PropagationSpec
	switch input.Kind {
	case "PropagationPolicy":
		var policy policyv1alpha1.PropagationPolicy
		if decoder.Decode(input.request(), &policy) != nil {
			return answer
		}
		spec = policy.Spec
	case "ClusterPropagationPolicy":
		var policy policyv1alpha1.ClusterPropagationPolicy
		if decoder.Decode(input.request(), &policy) != nil {
			return answer
		}
		spec = policy.Spec
	default:
		return answer
	}
	answer["specErrors"] = listed(propagationErrors(spec, input.Namespace))
	return answer
}

func listed(errors field.ErrorList) []any {
	list := []any{}
	for _, err := range errors {
		list = append(list, map[string]any{
			"type": string(err.Type), "field": err.Field, "detail": err.Detail, "error": err.Error(),
		})
	}
	return list
}

func verdict(response admission.Response) map[string]any {
	if response.Allowed {
		return map[string]any{"allowed": true}
	}
	return map[string]any{"allowed": false, "code": response.Result.Code, "message": response.Result.Message}
}

func validatingHandler(input *webhookInput) admission.Handler {
	switch input.Kind {
	case "PropagationPolicy":
		return &propagationpolicy.ValidatingAdmission{Decoder: decoder}
	case "ClusterPropagationPolicy":
		return &clusterpropagationpolicy.ValidatingAdmission{Decoder: decoder}
	case "OverridePolicy":
		return &overridepolicy.ValidatingAdmission{Decoder: decoder}
	case "ClusterOverridePolicy":
		return &clusteroverridepolicy.ValidatingAdmission{Decoder: decoder}
	default:
		return laterValidatingHandler(input)
	}
}

var permanentID = regexp.MustCompile(`("[a-z]*propagationpolicy\.karmada\.io/permanent-id":")[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"`)

func mutate(_ *testing.T, input *webhookInput) any {
	defer setGates(input.Gates)()
	response := mutatingHandler(input).Handle(context.Background(), input.request())
	if !response.Allowed {
		return verdict(response)
	}
	mutated := []byte(input.Object)
	if len(response.Patches) > 0 {
		operations, err := json.Marshal(response.Patches)
		mustDo(err)
		patch, err := jsonpatch.DecodePatch(operations)
		mustDo(err)
		mutated, err = patch.Apply(mutated)
		mustDo(err)
	}
	mutated = permanentID.ReplaceAll(mutated, []byte(`${1}<uuid>"`))
	return map[string]any{"allowed": true, "object": json.RawMessage(mutated)}
}
