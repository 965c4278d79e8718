import { describe, expect, test } from '@jest/globals';
import type { DrainSelection } from '../../../../src/analysis/drain/drainOptions.ts';
import { compileSelection } from '../../../../src/analysis/drain/decide/selects.ts';
import {
  PROPAGATION_POLICY_NAME_ANNOTATION,
  PROPAGATION_POLICY_NAMESPACE_ANNOTATION,
} from '../../../../src/karmada/api/names.ts';
import { deployment } from '../../../simulator/simulation/controlPlane.ts';
import { everywhere } from '../aDrain.ts';

const plain = deployment('web', { placement: everywhere, clusters: [], replicas: 2 });
const web = {
  ...plain,
  metadata: {
    ...plain.metadata,
    annotations: {
      ...plain.metadata.annotations,
      [PROPAGATION_POLICY_NAMESPACE_ANNOTATION]: 'shop',
      [PROPAGATION_POLICY_NAME_ANNOTATION]: 'spread',
    },
  },
};
const template = { metadata: { name: 'web', namespace: 'shop', labels: { tier: 'front' } } };

describe('the selection of a drain', () => {
  test.each<[DrainSelection, boolean]>([
    [{}, true],
    [{ namespace: 'shop' }, true],
    [{ namespace: 'data' }, false],
    [{ kinds: ['deploy'] }, true],
    [{ kinds: ['statefulset', 'deployments.apps'] }, true],
    [{ kinds: ['sts'] }, false],
    [{ policy: 'shop/spread' }, true],
    [{ policy: 'spread' }, false], // that would be a ClusterPropagationPolicy
    [{ labelSelector: { matchLabels: { tier: 'front' } } }, true],
    [{ labelSelector: { matchLabels: { tier: 'back' } } }, false],
    [{ skip: ['deploy/web'] }, false],
    [{ skip: ['shop/deployment/web'] }, false],
    [{ skip: ['data/deployment/web', 'deploy/api'] }, true],
    [{ skip: ['deploy/api', 'deploy/web'] }, false],
    [{ skip: ['web'] }, true], // no workload has this name
    [{ only: ['web'] }, false],
    [{ only: ['deploy/api'] }, false],
    [{ only: ['deploy/api', 'shop/deploy/web'] }, true],
    [{ only: ['deploy/web'], skip: ['deploy/web'] }, false],
    [{ skip: [], only: [], kinds: [] }, true],
  ])('%j includes Deployment shop/web: %s', (selection, expected) => {
    expect(compileSelection(selection).selects(web, template)).toBe(expected);
  });

  test('uses the namespace of the workload if the binding has no namespace', () => {
    const { namespace: _none, ...metadata } = web.metadata;
    const bound = { ...web, metadata };
    expect(compileSelection({ namespace: 'shop' }).selects(bound, template)).toBe(true);
    expect(compileSelection({ namespace: 'data' }).selects(bound, template)).toBe(false);
  });

  test('reports why a workload is excluded', () => {
    expect(compileSelection({ namespace: 'shop', skip: ['deploy/web'] }).leftOutBy(web, template)).toBe(
      'it is on the skip list',
    );
    expect(compileSelection({ namespace: 'data', skip: ['deploy/web'] }).leftOutBy(web, template)).toBe(
      'it is in another namespace',
    );
    expect(compileSelection({}).leftOutBy(web, template)).toBeUndefined();
  });

  test('uses the labels of the binding if the template is unknown', () => {
    const labelSelector = { matchLabels: { tier: 'front' } };
    expect(compileSelection({ labelSelector }).selects(web, undefined)).toBe(false);
    const labelled = { ...web, metadata: { ...web.metadata, labels: { tier: 'front' } } };
    expect(compileSelection({ labelSelector }).selects(labelled, undefined)).toBe(true);
  });

  test('selects nothing with a selector that Kubernetes refuses', () => {
    expect(
      compileSelection({ labelSelector: { matchLabels: { 'no key': 'x' } } }).selects(web, template),
    ).toBe(false);
  });
});
