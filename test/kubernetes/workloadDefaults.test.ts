import { expect, test } from '@jest/globals';
import { defaultWorkload } from '../../src/kubernetes/workloadDefaults.ts';

test.each(['Deployment', 'ReplicaSet', 'StatefulSet'])('a %s defaults to one replica', (kind) => {
  const spec = (given: object | null) => defaultWorkload({ apiVersion: 'apps/v1', kind, spec: given }).spec;
  expect(spec({})).toEqual({ replicas: 1 });
  expect(spec(null)).toEqual({ replicas: 1 });
  expect(spec({ replicas: 0 })).toEqual({ replicas: 0 });
});

test('a Job defaults to parallelism 1, and to completions 1 if parallelism is absent', () => {
  const spec = (given: object) => defaultWorkload({ apiVersion: 'batch/v1', kind: 'Job', spec: given }).spec;
  expect(spec({})).toEqual({ parallelism: 1, completions: 1 });
  expect(spec({ parallelism: 3 })).toEqual({ parallelism: 3 });
  expect(spec({ completions: 5 })).toEqual({ parallelism: 1, completions: 5 });
});

test('objects of other kinds have no defaults', () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
  expect(defaultWorkload(configMap)).toBe(configMap);
});
