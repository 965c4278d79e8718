package main

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	clustercontroller "github.com/karmada-io/karmada/pkg/controllers/cluster"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

func configureTaintManager(*clustercontroller.NoExecuteTaintManager, bool, string) {}

func minTolerationTime(taints []corev1.Taint, used []corev1.Toleration) time.Duration {
	return helper.GetMinTolerationTime(taints, used)
}

func configureClusterController(controller *clustercontroller.Controller, failoverTimeout time.Duration) {
	controller.EnableTaintManager = true
	controller.FailoverEvictionTimeout = failoverTimeout
	controller.ExecutionSpaceRetryFrequency = checkInterval
	controller.ClusterTaintEvictionRetryFrequency = checkInterval
}
