// Schedules a workload with Karmada's scheduler, one binding after the other on one thread, and prints how
// many bindings it manages per second of CPU time, as JSON.
package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sort"
	"syscall"

	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	clusterlister "github.com/karmada-io/karmada/pkg/generated/listers/cluster/v1alpha1"
	schedulercache "github.com/karmada-io/karmada/pkg/scheduler/cache"
	"github.com/karmada-io/karmada/pkg/scheduler/core"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins"
)

type binding struct {
	Spec   workv1alpha2.ResourceBindingSpec   `json:"spec"`
	Status workv1alpha2.ResourceBindingStatus `json:"status"`
}

type answer struct {
	Clusters []workv1alpha2.TargetCluster `json:"clusters,omitempty"`
	Error    string                       `json:"error,omitempty"`
}

type measurement struct {
	Clusters             int     `json:"clusters"`
	SnapshotCopy         bool    `json:"snapshotCopy"`
	Bindings             int     `json:"bindings"`
	CPUSeconds           float64 `json:"cpuSeconds"`
	BindingsPerCPUSecond float64 `json:"bindingsPerCpuSecond"`
	DifferentAnswers     int     `json:"differentAnswers"`
}

// sharedSnapshot leaves out the copy of all clusters that Karmada makes for each binding.
type sharedSnapshot struct {
	schedulercache.Cache
	snapshot schedulercache.Snapshot
}

func (s *sharedSnapshot) Snapshot() schedulercache.Snapshot { return s.snapshot }

func main() {
	directory := flag.String("workload", ".", "directory with bindings-1000, clusters-N and results-N, .json or .json.gz")
	clusters := flag.Int("clusters", 500, "how many clusters")
	seconds := flag.Float64("seconds", 2, "schedule passes over the bindings until this much CPU time is used")
	snapshotCopy := flag.Bool("snapshot-copy", true, "copy all clusters for each binding, as Karmada does")
	flag.Parse()

	runtime.GOMAXPROCS(1)
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)

	var bindings []binding
	var clusterList []*clusterv1alpha1.Cluster
	var expected []answer
	read(*directory, "bindings-1000", &bindings)
	read(*directory, fmt.Sprintf("clusters-%d", *clusters), &clusterList)
	read(*directory, fmt.Sprintf("results-%d", *clusters), &expected)

	scheduler := newScheduler(clusterList, *snapshotCopy)
	result := measurement{Clusters: *clusters, SnapshotCopy: *snapshotCopy}
	for pass := 0; pass == 0 || result.CPUSeconds < *seconds; pass++ {
		answers := make([]answer, len(bindings))
		started := cpuSeconds()
		for i := range bindings {
			answers[i] = schedule(scheduler, &bindings[i])
		}
		result.CPUSeconds += cpuSeconds() - started
		result.Bindings += len(bindings)
		if pass == 0 {
			result.DifferentAnswers = differences(answers, expected)
		}
	}
	result.BindingsPerCPUSecond = float64(result.Bindings) / result.CPUSeconds
	check(json.NewEncoder(os.Stdout).Encode(result))
}

func newScheduler(clusters []*clusterv1alpha1.Cluster, snapshotCopy bool) core.ScheduleAlgorithm {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, cluster := range clusters {
		check(indexer.Add(cluster))
	}
	bindings := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	var clusterCache = schedulercache.NewCache(clusterlister.NewClusterLister(indexer), bindings, 0)
	if !snapshotCopy {
		clusterCache = &sharedSnapshot{Cache: clusterCache, snapshot: clusterCache.Snapshot()}
	}
	scheduler, err := core.NewGenericScheduler(clusterCache, plugins.NewInTreeRegistry())
	check(err)
	return scheduler
}

func schedule(scheduler core.ScheduleAlgorithm, b *binding) answer {
	result, err := scheduler.Schedule(context.TODO(), &b.Spec, &b.Status, &core.ScheduleAlgorithmOption{})
	var fitError *framework.FitError
	var unschedulable *framework.UnschedulableError
	switch {
	case err == nil:
		return answer{Clusters: result.SuggestedClusters}
	case errors.As(err, &fitError):
		return answer{Error: "FitError"}
	case errors.As(err, &unschedulable):
		return answer{Error: "UnschedulableError"}
	default:
		return answer{Error: "Error"}
	}
}

func differences(answers, expected []answer) int {
	different := 0
	for i := range answers {
		clusters := answers[i].Clusters
		sort.Slice(clusters, func(a, b int) bool { return clusters[a].Name < clusters[b].Name })
		if answers[i].Error != expected[i].Error || len(clusters) != len(expected[i].Clusters) ||
			len(clusters) > 0 && !reflect.DeepEqual(clusters, expected[i].Clusters) {
			different++
		}
	}
	return different
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Sec+usage.Stime.Sec) + float64(usage.Utime.Usec+usage.Stime.Usec)/1e6
}

func read(directory, name string, into any) {
	path := filepath.Join(directory, name+".json")
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		file, err := os.Open(path + ".gz")
		check(err)
		defer file.Close()
		unzipped, err := gzip.NewReader(file)
		check(err)
		content, err = io.ReadAll(unzipped)
		check(err)
		check(json.Unmarshal(content, into))
		return
	}
	check(err)
	check(json.Unmarshal(content, into))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}
