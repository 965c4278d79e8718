import type { ScenarioAction, ScenarioEvent } from '../../src/simulator/scenario.ts';
import { identityOf } from '../../src/karmada/objects/identities.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import { widgetInterpreter } from '../e2e/controlPlane/widget.ts';
import type { Chance } from '../e2e/random/chance.ts';
import type { Deed } from '../e2e/random/stage.ts';
import { storyOfSeed } from '../e2e/random/storyOfSeed.ts';
import type { Propagated } from '../e2e/random/workloadsOfSeed.ts';

interface There {
  clusters: readonly Cluster[];
  workloads: readonly Propagated[];
  taintPolicies: boolean;
  /** whether people also set taints with PreferNoExecute */
  preferNoExecute?: boolean;
}

const otherInterpreter = {
  ...widgetInterpreter,
  metadata: { name: 'configmaps' },
  spec: { ...widgetInterpreter.spec, target: { apiVersion: 'v1', kind: 'ConfigMap' } },
};

/**
 * Random events in a world from `start` (epoch milliseconds) on: those of the random incidents on real Karmada, on a scale of a minute or
 * of many, and clusters that fail and return at odd times.
 * @param chapter part of the names of created objects
 */
export function eventsOfSeed(
  chance: Chance,
  { clusters, workloads, taintPolicies, preferNoExecute = false }: There,
  start: number,
  chapter: string,
): ScenarioEvent[] {
  const members = clusters.map(({ metadata: { name }, spec }) => ({
    name,
    syncMode: spec?.syncMode ?? 'Push',
  }));
  const stretch = chance.oneOf([1, 1, 3, 10]);
  const there = { members, workloads, taintPolicies, wide: false, endsNamespaces: false };
  const story = storyOfSeed(chance, there, chapter).flatMap(({ after, deed }) =>
    actionsOf(deed, chance, members).map((action) => ({
      at: start + after * 1000 * stretch,
      action: preferNoExecute ? softened(action, chance) : action,
    })),
  );
  const turns = Array.from({ length: chance.between(0, 3) }).flatMap((): ScenarioEvent[] => {
    const cluster = chance.oneOf(members).name;
    const at = start + chance.between(0, 90_000) * stretch;
    const back = at + chance.oneOf([chance.between(1, 9000), chance.between(10_000, 200_000) * stretch]);
    return [
      { at, action: { type: 'fail', cluster } },
      ...(chance.happens(0.8) ? [{ at: back, action: { type: 'recover', cluster } as const }] : []),
    ];
  });
  const interpreter: ScenarioEvent[] = chance.happens(0.1)
    ? [
        {
          at: start + chance.between(0, 60_000) * stretch,
          action: chance.oneOf<ScenarioAction>([
            { type: 'delete', target: identityOf(widgetInterpreter) },
            { type: 'apply', objects: [otherInterpreter] },
          ]),
        },
      ]
    : [];
  return [...story, ...turns, ...interpreter].sort((a, b) => a.at - b.at);
}

/** Every other NoExecute taint is PreferNoExecute instead; either is removed. */
function softened(action: ScenarioAction, chance: Chance): ScenarioAction {
  if (action.type === 'untaint') return { type: 'untaint', cluster: action.cluster, key: action.key };
  if (action.type !== 'taint' || action.taint.effect !== 'NoExecute' || chance.happens(0.5)) return action;
  return { ...action, taint: { ...action.taint, effect: 'PreferNoExecute' } };
}

function actionsOf(deed: Deed, chance: Chance, members: readonly { name: string }[]): ScenarioAction[] {
  if ('kill' in deed) return [{ type: 'fail', cluster: deed.cluster }];
  if ('restart' in deed) return [{ type: 'recover', cluster: deed.cluster }];
  if ('breakDown' in deed) {
    const health = chance.oneOf(['Unhealthy', 'Unhealthy', 'Unknown'] as const);
    return chance
      .someOf(members)
      .map(({ name: cluster }) => ({ type: 'health', workload: deed.breakDown, cluster, health }));
  }
  if ('repair' in deed)
    return members.map(({ name: cluster }) => ({
      type: 'health',
      workload: deed.repair,
      cluster,
      health: 'Healthy',
    }));
  if ('taint' in deed) {
    const { cluster, ...taint } = deed.taint;
    return [{ type: 'taint', cluster, taint }];
  }
  if ('untaint' in deed) return [{ type: 'untaint', ...deed.untaint }];
  if ('patch' in deed) {
    const { merge, ...target } = deed.patch;
    return [{ type: 'patch', target, merge }];
  }
  if ('apply' in deed)
    return deed.apply.map((object) => ({
      type: 'apply',
      objects: [
        { ...object, metadata: { uid: `uid-${object.metadata.name}-${object.kind}`, ...object.metadata } },
      ],
    }));
  if ('delete' in deed) return [{ type: 'delete', target: deed.delete }];
  // Actions that depend on the state of that moment, such as suppressed deletions, only happen on the real control plane.
  return [];
}
