import { describe, expect, test } from '@jest/globals';
import { matchesKind, parseKind, shortKind } from '../../src/kubernetes/resourceNames.ts';

describe('a resource name as in kubectl', () => {
  test.each([
    ['deploy', 'apps/v1', 'Deployment'],
    ['deployment', 'apps/v1', 'Deployment'],
    ['Deployments', 'apps/v1', 'Deployment'],
    ['deployment.apps', 'apps/v1', 'Deployment'],
    ['deployments.v1.apps', 'apps/v1', 'Deployment'],
    ['sts', 'apps/v1', 'StatefulSet'],
    ['cm', 'v1', 'ConfigMap'],
    ['ing', 'networking.k8s.io/v1', 'Ingress'],
    ['ingresses.networking', 'networking.k8s.io/v1', 'Ingress'],
    ['networkpolicies', 'networking.k8s.io/v1', 'NetworkPolicy'],
    ['rb', 'work.karmada.io/v1alpha2', 'ResourceBinding'],
    ['crb', 'work.karmada.io/v1alpha2', 'ClusterResourceBinding'],
    ['flinkdeployment.flink.apache.org', 'flink.apache.org/v1beta1', 'FlinkDeployment'],
    ['endpoints', 'v1', 'Endpoints'],
  ])('%s refers to %s %s', (typed, apiVersion, kind) => {
    expect(matchesKind(parseKind(typed), apiVersion, kind)).toBe(true);
  });

  test.each([
    ['deploy', 'apps/v1', 'DeploymentConfig'],
    ['deployment.batch', 'apps/v1', 'Deployment'],
    ['rb', 'rbac.authorization.k8s.io/v1', 'RoleBinding'],
    ['', 'v1', 'Pod'],
  ])('"%s" does not refer to %s %s', (typed, apiVersion, kind) => {
    expect(matchesKind(parseKind(typed), apiVersion, kind)).toBe(false);
  });
});

test.each([
  ['Deployment', 'deploy'],
  ['StatefulSet', 'sts'],
  ['ClusterRole', 'clusterrole'],
])('the shortest name of %s is %s, and refers to the same kind', (kind, short) => {
  expect(shortKind(kind)).toBe(short);
  expect(matchesKind(parseKind(short), 'any/v1', kind)).toBe(true);
});
