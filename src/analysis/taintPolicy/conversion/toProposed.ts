import type {
  ClusterTaintPolicySpec,
  MatchCondition,
  PolicyTaint,
  TaintToAdd,
} from '../../../karmada/api/policy.ts';
import type { DataChange } from '../../../kubernetes/dataChange.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { complementOf } from './complement.ts';
import { conditionFindings } from './conditionFindings.ts';
import type { Conversion } from './conversion.ts';
import type { ConversionFinding } from './findings.ts';
import { ALWAYS, isLeftOut, NEVER, shippedEffect } from './forms.ts';
import type { KeptSpec } from './keptSpec.ts';

/**
 * A policy from the shipped form into the proposed one: it adds by the same conditions after one second, and removes one second after
 * they no longer hold.
 *
 * @param kept what the conversion into the shipped form kept, if the policy comes from there
 */
export function toProposed(spec: ClusterTaintPolicySpec, kept: KeptSpec | undefined): Conversion {
  const { addOnConditions = [], removeOnConditions = [] } = withoutNulls(spec);
  const conditions = matchConditionsOf(addOnConditions, removeOnConditions, kept, spec);
  const taints = proposedTaints(spec.taints ?? [], kept);
  const what = [...(conditions.restored ? (['conditions'] as const) : []), ...taints.restored];
  return {
    changes: [
      ...(Object.hasOwn(spec, 'targetClusters')
        ? [{ change: 'rename', path: ['spec', 'targetClusters'], to: 'targetCluster' } as const]
        : []),
      ...conditions.changes,
      ...taints.changes,
    ],
    findings: [
      ...conditions.findings,
      ...taints.findings,
      ...(what.length > 0 ? [{ code: 'restored', what, weight: 'told', field: 'spec' } as const] : []),
    ],
    kept: { from: 'shipped', spec: { addOnConditions, removeOnConditions } },
  };
}

/** A list that is null counts as absent. */
function withoutNulls({ addOnConditions, removeOnConditions }: ClusterTaintPolicySpec) {
  return {
    addOnConditions: addOnConditions ?? [],
    removeOnConditions: removeOnConditions ?? [],
  };
}

function matchConditionsOf(
  add: readonly MatchCondition[],
  remove: readonly MatchCondition[],
  kept: KeptSpec | undefined,
  spec: ClusterTaintPolicySpec,
) {
  const has = (name: keyof ClusterTaintPolicySpec) => Object.hasOwn(spec, name);
  const fields = {
    add: has('addOnConditions') ? 'spec.addOnConditions' : 'spec',
    remove: has('removeOnConditions') ? 'spec.removeOnConditions' : 'spec.addOnConditions',
  };
  const { match, findings, restored } = matchOf(add, remove, kept, fields);
  const path = ['spec', 'addOnConditions'];
  const changes: DataChange[] = has('addOnConditions')
    ? [
        { change: 'rename', path, to: 'matchConditions' },
        ...(match === add ? [] : [{ change: 'replace', path, value: match } as const]),
      ]
    : [
        {
          change: 'addMember',
          path: ['spec'],
          name: 'matchConditions',
          value: match,
          after: 'targetClusters',
        },
      ];
  if (has('removeOnConditions')) changes.push({ change: 'remove', path: ['spec', 'removeOnConditions'] });
  return { changes, findings, restored };
}

function matchOf(
  add: readonly MatchCondition[],
  remove: readonly MatchCondition[],
  kept: KeptSpec | undefined,
  fields: { add: string; remove: string },
): { match: readonly MatchCondition[]; findings: ConversionFinding[]; restored: boolean } {
  if (kept?.spec.matchConditions && remove.length === 0 && deepEqual(add, ALWAYS))
    return { match: [], findings: [], restored: true };
  if (add.length === 0) {
    const empty = { code: 'empty-conditions', to: 'proposed', weight: 'stops', field: fields.add } as const;
    return { match: NEVER, findings: [empty], restored: false };
  }
  // the list that removes is then the one that the conversion made
  if (kept && deepEqual(remove, complementOf(add))) return { match: add, findings: [], restored: false };
  return { match: add, findings: conditionFindings('proposed', add, remove, fields), restored: false };
}

function proposedTaints(taints: readonly PolicyTaint[], kept: KeptSpec | undefined) {
  const path = ['spec', 'taints'];
  const changes: DataChange[] = [{ change: 'rename', path, to: 'taintsToAdd' }];
  const findings: ConversionFinding[] = [];
  const restored = new Set<'windows' | 'effect' | 'taint'>();
  const originals = kept?.spec.taintsToAdd ?? [];
  const leftOut = originals.filter((one) => isLeftOut(one, originals));
  let oneSecond = false;
  const found = new Set<TaintToAdd>();
  for (const [at, { key, effect }] of taints.entries()) {
    const original = originals.find(
      (one) => !leftOut.includes(one) && one.key === key && shippedEffect(one.effect) === effect,
    );
    const windows = original ?? { addOnMatchSeconds: 1, removeOnMismatchSeconds: 1 };
    if (original) found.add(original);
    else oneSecond = true;
    for (const name of ['addOnMatchSeconds', 'removeOnMismatchSeconds'] as const)
      if (windows[name] !== undefined)
        changes.push({ change: 'addMember', path: [...path, at], name, value: windows[name] });
    if (!original) continue;
    restored.add('windows');
    if (original.effect === effect) continue;
    restored.add('effect');
    changes.push({ change: 'replace', path: [...path, at, 'effect'], value: original.effect });
  }
  for (const one of leftOut) {
    const at = taints.findIndex(({ key, effect }) => key === one.key && effect === shippedEffect(one.effect));
    if (at === -1) continue;
    found.add(one);
    restored.add('taint');
    const standIn = originals.findIndex(
      ({ key, effect }) => key === one.key && effect === shippedEffect(one.effect),
    );
    const before = originals.indexOf(one) < standIn ? at : at + 1;
    changes.push({ change: 'addEntry', path, before, value: one });
  }
  for (const taint of originals.filter((one) => !found.has(one)))
    findings.push({ code: 'outdated', what: 'taint', taint, weight: 'told', field: 'spec.taints' });
  if (oneSecond) findings.push({ code: 'one-second', to: 'proposed', weight: 'told', field: 'spec.taints' });
  return { changes, findings, restored: [...restored] };
}
