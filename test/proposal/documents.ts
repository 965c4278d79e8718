import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { FOR_NGINX, ON_MEMBERS_1_AND_2, propagationPolicy } from './nginxPropagation.ts';

/** The design optimize-cluster-failover on top of the newest release. */
export const proposal = dialectOf('proposal').dialect;

/** The design with the gate Failover, its only switch. */
export const failoverByDesign: Configuration = {
  ...proposal.defaults,
  featureGates: { ...proposal.defaults.featureGates, Failover: true },
};

/** The ClusterTaintPolicy of document 001, verbatim. */
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

/** The Cluster of document 001 for the policy; its status is False there, which YAML reads as a boolean. */
const member1 = (status: string) => `
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
    status: ${status}
    type: Ready
`;

/** As intended: its status is a string. */
export const MEMBER1_NOT_REACHABLE = member1('"False"');
/** As it is written. */
export const MEMBER1_AS_WRITTEN = member1('False');

/** The same Cluster with its taint, which is under `taint` there. */
export const MEMBER1_TAINTED_AS_WRITTEN = `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata:
  name: member1
spec:
  apiEndpoint: https://172.18.0.4:6443
  taint:
  - effect: PreferNoExecute
    key: cluster.karmada.io/not-ready
    timeAdded: "2025-01-17T02:41:26Z"
`;

/** The PropagationPolicy of document 001 that migrates nginx actively, with its field name verbatim. */
const nginxPropagation = (purgeMode: string) =>
  propagationPolicy(`${FOR_NGINX}${ON_MEMBERS_1_AND_2}
  failover:
    cluster:
      ${purgeMode}: Directly
      tolerationSeconds: 100
`);

/** As intended. */
export const NGINX_PROPAGATION = nginxPropagation('purgeMode');
/** As written: with a slip. */
export const NGINX_PROPAGATION_AS_WRITTEN = nginxPropagation('pureMode');
