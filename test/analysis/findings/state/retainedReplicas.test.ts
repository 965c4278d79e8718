import { describe, expect, test } from '@jest/globals';
import { diagnosed } from './diagnosed.ts';
import { changed, type Written } from './healthyWorld.ts';

// v1.18, native interpreter: retainWorkloadReplicas is for Deployments. A StatefulSet needs a retention script.

const RETAIN = { 'resourcetemplate.karmada.io/retain-replicas': 'true' };

const statefulSet: Written = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { namespace: 'shop', name: 'db', labels: RETAIN },
  spec: { replicas: 3 },
};

const scaler: Written = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { namespace: 'shop', name: 'db' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' }, maxReplicas: 9 },
};

const script: Written = {
  apiVersion: 'config.karmada.io/v1alpha1',
  kind: 'ResourceInterpreterCustomization',
  metadata: { name: 'statefulsets' },
  spec: {
    target: { apiVersion: 'apps/v1', kind: 'StatefulSet' },
    customizations: { retention: { luaScript: 'function Retain(a, b) return a end' } },
  },
};

const found = async (...adds: Written[]) =>
  (await diagnosed([...changed({}), ...adds], { only: ['hpa-without-retained-replicas'] })).findings;

describe('given a StatefulSet with the label that retains replicas, and an HPA in the members', () => {
  test('the label has no effect, and the remedy is a retention script', async () => {
    expect(await found(statefulSet, scaler)).toMatchObject([
      {
        message: expect.stringMatching(/both write the replicas of StatefulSet shop\/db/),
        evidence: [{ rule: expect.stringMatching(/has no effect on this kind/) }],
        remedy: { text: expect.stringMatching(/ResourceInterpreterCustomization for StatefulSet/) },
      },
    ]);
  });

  test('with a retention script nothing is found', async () => {
    expect(await found(statefulSet, scaler, script)).toEqual([]);
  });
});
