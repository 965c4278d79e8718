// The examples of documents 003 and 004, verbatim.
import { FOR_NGINX, FOR_NGINX_AND_MYSQL, ON_MEMBERS_1_AND_2, propagationPolicy } from './nginxPropagation.ts';

/** The PropagationPolicy of document 004. Its type has healthyState in preConditions, and also one of them. */
export const APPLICATION_POLICY = propagationPolicy(`${FOR_NGINX_AND_MYSQL}
  failover:
    application:
      preConditions:
        delaySeconds: 5000
      decisionConditions:
        tolerationSeconds: 200
        healthyState: 
        - Unhealthy${ON_MEMBERS_1_AND_2}
`);

/** The ResourceBinding of document 004. Its types name the times creationTimestamp. */
export const APPLICATION_BINDING = `
apiVersion: work.karmada.io/v1alpha2
kind: ResourceBinding
metadata:
  name: nginx-pod
spec:
  clusters:
  - name: member1
  activeEvictionHistory:
  - clusterName: member2
    createTimestamp: "2023-04-03T01:44:31Z"
  failover:
    application:
      preConditions:
        delaySeconds: 5000
      decisionConditions:
        tolerationSeconds: 200
        healthyState: 
        - Unhealthy
  placement:
    clusterAffinity:
      clusterNames:
      - member1
      - member2
  resource:
    apiVersion: v1
    kind: Pod
    name: nginx
    namespace: default
  schedulerName: default-scheduler
status:
  aggregatedStatus:
  - applied: true
    settled: true
    clusterName: member1
    health: Healthy
    status:
      phase: Running
    createTimestamp: "2023-04-03T02:44:31Z"
`;

/** The PropagationPolicy of the rejected alternative in document 004. */
export const APPLICATION_ALTERNATIVE = propagationPolicy(`${FOR_NGINX_AND_MYSQL}
  failover:
    - apiVersion: apps/v1
      kind: Deployment
      behavior:
        application:
          activeGates:
            - healthyState: Unhealthy
    - apiVersion: apps/v1
      kind: StatefulSet
      behavior:
        application:
          activeGates:
            - healthyState: Unhealthy${ON_MEMBERS_1_AND_2}
`);

/** The interpreter of document 004. */
export const HEALTH_INTERPRETATION = `
apiVersion: config.karmada.io/v1alpha1
kind: ResourceInterpreterCustomization
metadata:
  name: declarative-configuration-example
spec:
  target:
    apiVersion: apps/v1
    kind: Deployment
  healthInterpretation:
    luaScript: >
      function InterpretHealth(observedObj)
        return observedObj.status.readyReplicas == observedObj.spec.replicas
      end
`;

/** The PropagationPolicy of document 003. */
export const CLUSTER_POLICY = propagationPolicy(`${FOR_NGINX}
  failover:
    cluster:
      purgeMode: Graciously
      gracePeriodSeconds: 100${ON_MEMBERS_1_AND_2}
`);

/** The spec of the ResourceBinding of document 003. */
export const CLUSTER_BINDING_SPEC = `
spec:
    clusters:
    - name: member2
      replicas: 2
    failover:
      cluster:
        purgeMode: Graciously
        gracePeriodSeconds: 100
    gracefulEvictionTasks:
    - creationTimestamp: "2023-06-05T11:33:31Z"
      fromCluster: member1
      producer: TaintManager
      reason: TaintUntolerated
      replicas: 1
      gracePeriodSeconds: 100
`;
