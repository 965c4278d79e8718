package main

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha1 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/util/gclient"
)

// newClient makes an API that holds the objects and nothing else. Deleted objects need a finalizer there.
func newClient(objects ...client.Object) client.Client {
	for _, object := range objects {
		if object.GetDeletionTimestamp() != nil && len(object.GetFinalizers()) == 0 {
			object.SetFinalizers([]string{"oracle/held"})
		}
	}
	scheme := gclient.NewSchema()
	builder := fake.NewClientBuilder().WithScheme(scheme).
		WithObjectTracker(clienttesting.NewObjectTracker(scheme, decoders)).
		WithStatusSubresource(&clusterv1alpha1.Cluster{}, &workv1alpha2.ResourceBinding{}, &workv1alpha1.Work{}).
		WithIndex(&workv1alpha2.ResourceBinding{}, bindingClusterIndex, func(object client.Object) []string {
			return clustersOf(&object.(*workv1alpha2.ResourceBinding).Spec)
		}).
		WithIndex(&workv1alpha2.ClusterResourceBinding{}, clusterBindingClusterIndex, func(object client.Object) []string {
			return clustersOf(&object.(*workv1alpha2.ClusterResourceBinding).Spec)
		})
	builder = builder.WithIndex(&workv1alpha1.Work{}, workBindingIndex, func(object client.Object) []string {
		return []string{object.GetLabels()[workv1alpha2.ResourceBindingPermanentIDLabel]}
	})
	return &cachedClient{builder.WithObjects(objects...).Build()}
}

var decoders = serializer.NewCodecFactory(gclient.NewSchema()).UniversalDecoder()

// cachedClient says of what kind its objects are, as the cache of a controller manager does.
type cachedClient struct{ client.Client }

func (c *cachedClient) Get(ctx context.Context, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
	if err := c.Client.Get(ctx, key, object, options...); err != nil {
		return err
	}
	kind, err := c.GroupVersionKindFor(object)
	object.GetObjectKind().SetGroupVersionKind(kind)
	return err
}

func (c *cachedClient) List(ctx context.Context, list client.ObjectList, options ...client.ListOption) error {
	if err := c.Client.List(ctx, list, options...); err != nil {
		return err
	}
	return meta.EachListItem(list, func(item runtime.Object) error {
		kind, err := c.GroupVersionKindFor(item)
		item.GetObjectKind().SetGroupVersionKind(kind)
		return err
	})
}

func clustersOf(spec *workv1alpha2.ResourceBindingSpec) []string {
	clusters := make([]string, len(spec.Clusters))
	for i, target := range spec.Clusters {
		clusters[i] = target.Name
	}
	return clusters
}

func get[T client.Object](c client.Client, namespace, name string, into T) T {
	if err := c.Get(context.Background(), client.ObjectKey{Namespace: namespace, Name: name}, into); err != nil {
		panic(refusal{err})
	}
	return into
}
