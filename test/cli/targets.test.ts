import { describe, expect, test } from '@jest/globals';
import { namedTargets, oneTarget } from '../../src/cli/targets.ts';
import { clusterArguments, clusterNamed, subjectAndDelay } from '../../src/cli/subject.ts';

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
    [[], []],
  ])('%j are %j', (words, targets) => {
    expect(namedTargets(words)).toEqual(targets);
  });

  test('are one form or the other', () => {
    expect(() => namedTargets(['deployment/cart', 'search'])).toThrow(
      '"search" and "deployment/cart": write KIND NAME..., as in deployment cart search, or KIND/NAME...',
    );
  });

  test('are one where one is asked about', () => {
    expect(oneTarget(['deploy', 'cart'])).toBe('deploy/cart');
    expect(() => oneTarget(['deploy', 'cart', 'search'])).toThrow('name one workload');
  });
});

describe('clusters on a command line', () => {
  test('are named as answers print them, too', () => {
    expect(clusterNamed('cluster/member1')).toBe('member1');
    expect(clusterNamed('clusters.cluster.karmada.io/member1')).toBe('member1');
    expect(clusterArguments(['cluster/a', 'b'])).toEqual(['a', 'b']);
    expect(subjectAndDelay('--fail', 'cluster/a@10m')).toEqual({ subject: 'a', after: 600_000 });
  });
});
