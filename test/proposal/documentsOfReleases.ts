// The examples of documents 000 and 002, verbatim. In 002 the indentation, lost in its text, is restored.
import { FOR_NGINX, ON_MEMBERS_1_AND_2, propagationPolicy } from './nginxPropagation.ts';

/** Document 000: the tolerations that the webhook adds. */
export const TOLERATIONS = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: nginx-propagation
  namespace: default
spec:
  placement:
    clusterTolerations:
    - effect: NoExecute
      key: cluster.karmada.io/not-ready
      operator: Exists
      tolerationSeconds: 300
    - effect: NoExecute
      key: cluster.karmada.io/unreachable
      operator: Exists
      tolerationSeconds: 300
  resourceSelectors:
  - apiVersion: apps/v1
    kind: Deployment
    name: nginx
    namespace: default
`;

/** Document 000: Duplicated over two of four clusters. */
export const DUPLICATED = propagationPolicy(`${FOR_NGINX}${ON_MEMBERS_1_AND_2}
        - member3
        - member5
    spreadConstraints:
      - maxGroups: 2
        minGroups: 2
    replicaScheduling:
      replicaSchedulingType: Duplicated
`);

/** Document 000: divided 1 to 2. */
export const DIVIDED = propagationPolicy(`${FOR_NGINX}${ON_MEMBERS_1_AND_2}
    replicaScheduling:
      replicaDivisionPreference: Weighted
      replicaSchedulingType: Divided
      weightPreference:
        staticWeightList:
          - targetCluster:
              clusterNames:
                - member1
            weight: 1
          - targetCluster:
              clusterNames:
                - member2
            weight: 2
`);

/** Document 002: the purge mode. Omitted fields are filled in. */
export const PURGE_MODE = propagationPolicy(`
  failover:
    cluster:
      purgeMode: Directly${FOR_NGINX}
  placement: {}
`);

/** Document 002: a Flink job with its state. */
export const STATE_PRESERVATION = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: flink-propagation
spec:
  resourceSelectors:
  - apiVersion: flink.apache.org/v1beta1
    kind: FlinkDeployment
    name: flink-app
  failover:
    cluster:
      purgeMode: Directly
      statePreservation:
        rules:
        - aliasLabelName: application.karmada.io/cluster-failover-jobid
          jsonPath: "{ .jobStatus.jobID }"
  placement:
    clusterAffinity:
      clusterNames:
      - member1
      - member2
    spreadConstraints:
    - maxGroups: 1
      minGroups: 1
      spreadByField: cluster
`;
