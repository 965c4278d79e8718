package main

import (
	"k8s.io/client-go/tools/cache"

	clusterlister "github.com/karmada-io/karmada/pkg/generated/listers/cluster/v1alpha1"
	schedulercache "github.com/karmada-io/karmada/pkg/scheduler/cache"
)

func newSchedulerCache(clusters clusterlister.ClusterLister) schedulercache.Cache {
	bindings := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	return schedulercache.NewCache(clusters, bindings)
}
