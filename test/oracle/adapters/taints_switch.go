package main

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	clustercontroller "github.com/karmada-io/karmada/pkg/controllers/cluster"
	"github.com/karmada-io/karmada/pkg/util/helper"
)

func configureTaintManager(manager *clustercontroller.NoExecuteTaintManager, enabled bool, purgeMode string) {
	manager.EnableNoExecuteTaintEviction = enabled
	manager.NoExecuteTaintEvictionPurgeMode = purgeMode
}

func minTolerationTime(taints []corev1.Taint, used []corev1.Toleration) time.Duration {
	return helper.GetMinTolerationTimeWithCurrentTime(taints, used, time.Now())
}

func configureClusterController(controller *clustercontroller.Controller, _ time.Duration) {
	controller.CleanupCheckInterval = checkInterval
}
