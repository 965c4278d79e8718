import type { Configuration } from '../../src/karmada/configuration.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';

/** The design optimize-cluster-failover on top of the newest release. */
export const proposal = dialectOf('proposal').dialect;

/** The design with the gate Failover, its only switch. */
export const failoverByDesign: Configuration = {
  ...proposal.defaults,
  featureGates: { ...proposal.defaults.featureGates, Failover: true },
};

/** The ClusterTaintPolicy of document 001, as it stands there. */
export const DETECT_NOT_READY = `
apiVersion: "policy.karmada.io/v1alpha1"
kind: "ClusterTaintPolicy"
metadata:
  name: "detect-cluster-not-ready"
spec:
  targetCluster:
    clusterNames:
    - "member1"
    - "member2"
  matchConditions:
  - conditionType: "Ready"
    operator: "In"
    statusValues:
    - "False"
    - "Unknown"
  taintsToAdd:
  - key: "cluster.karmada.io/not-ready"
    effect: PreferNoExecute
    addOnMatchSeconds: 300
    removeOnMismatchSeconds: 180
`;

/** The Cluster of document 001 that the policy is for. Its status False is a text here: YAML would read a boolean. */
export const MEMBER1_NOT_REACHABLE = `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata:
  name: member1
spec:
  apiEndpoint: https://172.18.0.4:6443
status:
  conditions:
  - lastTransitionTime: "2025-01-17T02:36:26Z"
    message: "cluster is not reachable"
    reason: ClusterNotReachable
    status: "False"
    type: Ready
`;

/** The PropagationPolicy of document 001 that migrates nginx actively; purgeMode is misspelt there as pureMode. */
export const NGINX_PROPAGATION = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: nginx-propagation
spec:
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: nginx
  placement:
    clusterAffinity:
      clusterNames:
      - member1
      - member2
  failover:
    cluster:
      purgeMode: Directly
      tolerationSeconds: 100
`;
