package main

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"github.com/karmada-io/karmada/pkg/controllers/taint"
)

type taintPolicyInput struct {
	Now      metav1.Time                          `json:"now"`
	Cluster  *clusterv1alpha1.Cluster             `json:"cluster"`
	Policies []*policyv1alpha1.ClusterTaintPolicy `json:"policies"`
}

// patchedClient remembers whether anything was patched, be it with the same.
type patchedClient struct {
	client.Client
	patched bool
}

func (c *patchedClient) Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.PatchOption) error {
	c.patched = true
	return c.Client.Patch(ctx, object, patch, options...)
}

func taintByPolicy(t *testing.T, input *taintPolicyInput) any {
	answer := map[string]any{}
	at(t, input.Now.Time, func() {
		objects := []client.Object{input.Cluster}
		for _, policy := range input.Policies {
			objects = append(objects, policy)
		}
		api := &patchedClient{Client: newClient(objects...)}
		controller := &taint.ClusterTaintPolicyController{Client: api, EventRecorder: &record.FakeRecorder{}}
		request := reconcile.Request{NamespacedName: types.NamespacedName{Name: input.Cluster.Name}}
		_, err := controller.Reconcile(context.Background(), request)
		mustDo(err)
		after := get(controller.Client, "", input.Cluster.Name, &clusterv1alpha1.Cluster{}).Spec.Taints
		answer["taints"], answer["changed"] = after, api.patched
	})
	return answer
}

func init() { suites["taint-policy"] = newSuite(taintByPolicy) }
