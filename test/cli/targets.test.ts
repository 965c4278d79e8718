import { describe, expect, test } from '@jest/globals';
import {
  clusterAmong,
  clusterArguments,
  clusterNamed,
  namedTargets,
  oneTarget,
  subjectAndDelay,
} from '../../src/cli/targets.ts';

describe('workloads on a command line', () => {
  test.each([
    [['deployment/cart'], ['deployment/cart']],
    [['deployment', 'cart'], ['deployment/cart']],
    [
      ['sts.apps', 'ledger', 'cache'],
      ['sts.apps/ledger', 'sts.apps/cache'],
    ],
    [
      ['data/statefulset/ledger', 'rb/cart-deployment'],
      ['data/statefulset/ledger', 'rb/cart-deployment'],
    ],
    [['StatefulSet', 'data/ledger'], ['data/StatefulSet/ledger']],
    [[], []],
  ])('%j select %j', (words, targets) => {
    expect(namedTargets(words)).toEqual(targets);
  });

  test('use one form: KIND NAME or KIND/NAME', () => {
    expect(() => namedTargets(['deployment/cart', 'search'])).toThrow(
      '"search" and "deployment/cart": write KIND NAME..., as in deployment cart search, or KIND/NAME...',
    );
    expect(() => namedTargets(['search', 'deployment/cart'])).toThrow('"search" and "deployment/cart"');
    expect(() => namedTargets(['Deployment', 'shop/cart', 'shop/search'])).toThrow('write KIND NAME...');
  });

  test('are rejected beyond the first by a command about one workload', () => {
    expect(oneTarget(['deploy', 'cart'])).toBe('deploy/cart');
    expect(() => oneTarget(['deploy', 'cart', 'search'])).toThrow('name one workload');
  });
});

describe('clusters on a command line', () => {
  test('may be written as in answers', () => {
    expect(clusterNamed('cluster/member1')).toBe('member1');
    expect(clusterNamed('clusters.cluster.karmada.io/member1')).toBe('member1');
    expect(clusterNamed('clusters.v1alpha1.cluster.karmada.io/member1')).toBe('member1');
    expect(clusterNamed('clusters.other.io/member1')).toBe('clusters.other.io/member1');
    expect(clusterArguments(['cluster/a', 'b'])).toEqual(['a', 'b']);
    expect(subjectAndDelay('--fail', 'cluster/a@10m')).toEqual({ subject: 'a', after: 600_000 });
  });

  test.each([
    [[undefined, undefined], undefined],
    [['member1', undefined], 'member1'],
    [['cluster', undefined], 'cluster'],
    [['cluster', 'member1'], 'member1'],
    [['clusters.cluster.karmada.io', 'member1'], 'member1'],
  ])('%j select %j', (words, name) => {
    expect(clusterAmong(words)).toBe(name);
  });

  test('are rejected beyond the first by a command about one cluster', () => {
    expect(() => clusterAmong(['member1', 'member2'])).toThrow(
      'unexpected argument member2; name one cluster',
    );
  });
});
