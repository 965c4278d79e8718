package main

import (
	clusterlister "github.com/karmada-io/karmada/pkg/generated/listers/cluster/v1alpha1"
	schedulercache "github.com/karmada-io/karmada/pkg/scheduler/cache"
)

func newSchedulerCache(clusters clusterlister.ClusterLister) schedulercache.Cache {
	return schedulercache.NewCache(clusters)
}
