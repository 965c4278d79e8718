// The common part of the documents' PropagationPolicies, literally the same in each.

/** A PropagationPolicy with this spec. */
export const propagationPolicy = (spec: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: nginx-propagation
spec:${spec}`;

/** Its target: the Deployment nginx. */
export const FOR_NGINX = `
  resourceSelectors:
    - apiVersion: apps/v1
      kind: Deployment
      name: nginx`;

/** The two allowed clusters. */
export const ON_MEMBERS_1_AND_2 = `
  placement:
    clusterAffinity:
      clusterNames:
        - member1
        - member2`;

/** Document 004 also names the StatefulSet mysql. */
export const FOR_NGINX_AND_MYSQL = `${FOR_NGINX}
    - apiVersion: apps/v1
      kind: StatefulSet
      name: mysql`;
