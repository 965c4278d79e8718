import { describe, expect, test } from '@jest/globals';
import {
  deletionBasis,
  deletionDrift,
  withPlannedPolicies,
  type DeletionPlan,
} from '../../../src/analysis/taintPolicy/deletionPlan.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { Taint } from '../../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { fleet, member, OLD, removalAfterDeletion, taint, taintPolicy, when } from './policies.ts';

const ADDED = '2026-08-10T00:00:00Z';
const network = taintPolicy('network', {
  addOnConditions: [when('Network In False')],
  taints: [taint('example.com/network=down:NoSchedule'), taint('example.com/slow:NoSchedule')],
});
const put = taint('example.com/network=down:NoSchedule', ADDED);
const withUid = (uid: string) => ({ ...network, metadata: { ...network.metadata, uid } });

/** A fleet of alpha with these taints, and beta without any. */
const given = (taints: Taint[], policies: ClusterTaintPolicy[] = [withUid('p')], uid = 'a'): World => {
  const alpha = member('alpha', { taints });
  return fleet([{ ...alpha, metadata: { ...alpha.metadata, uid } }, member('beta')], policies);
};
const before = given([put]);
const removal = removalAfterDeletion(before, ['network']);
const plan: DeletionPlan = {
  basis: deletionBasis(before.taintPolicies, removal),
  withTaints: true,
  removed: [{ cluster: 'alpha', taint: put }],
};

/** What has changed, and the taints that are removed if nothing has. */
function found(now: World, planned = plan) {
  const { world } = withPlannedPolicies(now, planned.basis);
  const present = removalAfterDeletion(world, ['network']);
  return { drift: deletionDrift(planned, world, present), steps: present.steps };
}

describe('a plan to delete policies is still valid', () => {
  test('if nothing has changed', () => {
    expect(found(before)).toEqual({
      drift: [],
      steps: [{ cluster: 'alpha', taints: [put], uid: 'a' }],
    });
  });
  test('if its taint is already removed', () => {
    expect(found(given([]))).toEqual({ drift: [], steps: [] });
  });
  test('if its policy is already deleted, and its taint remains', () => {
    expect(found(given([put], []))).toEqual({ drift: [], steps: removal.steps });
    expect(withPlannedPolicies(given([put], []), plan.basis).gone).toEqual(['network']);
  });
  test('if its cluster is deleted', () => {
    expect(found(fleet([member('beta')], [withUid('p')]))).toEqual({ drift: [], steps: [] });
  });
  test('if labels, annotations or the resourceVersion of a policy change', () => {
    const labelled = { ...withUid('p') };
    labelled.metadata = { ...labelled.metadata, labels: { a: 'b' }, resourceVersion: '99' };
    expect(found(given([put], [labelled])).drift).toEqual([]);
  });
  test('if it removes no taints, even if taints change', () => {
    const other = taint('example.com/slow:NoSchedule', ADDED);
    expect(found(given([other]), { ...plan, withTaints: false, removed: [] }).drift).toEqual([]);
  });
});

describe('a plan to delete policies is no longer valid', () => {
  test('if a policy was edited', () => {
    const edited = { ...withUid('p'), spec: { ...network.spec, taints: network.spec.taints!.slice(0, 1) } };
    expect(found(given([put], [edited])).drift).toEqual([
      { change: 'edited', kind: 'ClusterTaintPolicy', name: 'network' },
    ]);
  });
  test('if a policy or a cluster was recreated', () => {
    expect(found(given([put], [withUid('q')])).drift).toEqual([
      { change: 'replaced', kind: 'ClusterTaintPolicy', name: 'network' },
    ]);
    expect(found(given([put], [withUid('p')], 'z')).drift).toEqual([
      { change: 'replaced', kind: 'Cluster', name: 'alpha' },
    ]);
  });
  test.each([
    ['added again', taint('example.com/network=down:NoSchedule', '2026-08-11T00:00:00Z')],
    ['changed to another value', taint('example.com/network=up:NoSchedule', ADDED)],
    ['set by a user', taint('example.com/network=down:NoSchedule')],
  ])('if its taint is %s', (_, now) => {
    expect(found(given([now])).drift).toEqual([
      { change: 'taint changed', cluster: 'alpha', taint: put, now },
    ]);
  });
  test('if another policy now lists its taint', () => {
    const other = taintPolicy('other', { ...network.spec }, OLD);
    const now = given([put], [withUid('p'), other]);
    const drift = [
      { change: 'taint kept', cluster: 'alpha', taint: put, why: 'still listed', listedBy: ['other'] },
    ];
    expect(found(now)).toEqual({ drift, steps: [] });
    expect(found({ ...now, taintPolicies: [other] })).toEqual({ drift, steps: [] });
  });
  test('if the policy has added another taint', () => {
    const slow = taint('example.com/slow:NoSchedule', ADDED);
    expect(found(given([put, slow])).drift).toEqual([{ change: 'taint new', cluster: 'alpha', taint: slow }]);
  });
});
