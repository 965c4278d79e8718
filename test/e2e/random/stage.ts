import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Happening, Target } from '../happening.ts';
import type { Chance } from './chance.ts';
import type { Propagated } from './workloadsOfSeed.ts';

/** An action on the test bed; some can be expressed in a scenario, others show only in their effects. */
export type Deed =
  | Happening
  /** ends a process of the bed, or restarts it */
  | { kill: string; cluster: string }
  | { restart: string; cluster: string }
  /** a workload breaks on one of its clusters, or all of them are repaired */
  | { breakDown: Target }
  | { repair: Target }
  /** deletion of the old copy is suppressed, or no longer, for a workload that is evicting then */
  | { suppressDeletion: boolean }
  /** one of Karmada's own components ends, or restarts */
  | { stop: Component }
  | { start: Component }
  /** Karmada's objects of a workload are edited: its binding, or a Work of it, as they are then */
  | { edit: Target; how: Edit }
  /** a foreign finalizer holds a Work of a cluster, or no longer */
  | { holdWork: string; held: boolean };

/** A component of Karmada that a scenario can stop. */
export type Component = 'karmada-controller-manager' | 'karmada-scheduler';

/** A cluster removed from the binding, evicted gracefully, every task cancelled; the binding or one of its Works deleted. */
export type Edit = 'remove cluster' | 'evict' | 'cancel evictions' | 'delete binding' | 'delete Work';

/** The actions, each after this many seconds, in order. */
export type Plan = { after: number; deed: Deed }[];

/** The objects for actions. */
export interface Stage {
  chance: Chance;
  members: readonly { name: string; syncMode: 'Push' | 'Pull' }[];
  workloads: readonly Propagated[];
  /** whether ClusterTaintPolicies taint clusters that are not ready */
  taintPolicies: boolean;
  /** whether to include the kinds that generated worlds exclude; see workloadOfSeed */
  wide: boolean;
  /** whether members finish terminating namespaces, so that one can be deleted */
  endsNamespaces: boolean;
  chapter: string;
  /** the second of the action */
  at: number;
  /** actions on clusters and objects so far: not repeated */
  taken: Set<string>;
}

/** A random action, or a few that belong together; none if no object is left for it. */
export type Act = (stage: Stage) => Plan;

export const nameOf = ({ name }: { name: string }) => name;

/** Takes an object of the stage, once; undefined if all are taken. */
export function take<T>(
  { chance, taken }: Stage,
  choices: readonly T[],
  key: (choice: T) => string,
): T | undefined {
  const left = choices.filter((choice) => !taken.has(key(choice)));
  if (left.length === 0) return undefined;
  const chosen = chance.oneOf(left);
  taken.add(key(chosen));
  return chosen;
}

export function takeWorkload(stage: Stage, kinds?: string[]): Propagated | undefined {
  const fitting = stage.workloads.filter(({ object }) => !kinds || kinds.includes(object.kind));
  return take(stage, fitting, ({ object }) => `workload ${object.metadata.name}`);
}

export function takeCluster(stage: Stage, syncMode?: 'Push' | 'Pull'): string | undefined {
  const fitting = stage.members.filter((member) => !syncMode || member.syncMode === syncMode);
  return take(stage, fitting.map(nameOf), (name) => `cluster ${name}`);
}

export function targetOf({ kind, metadata: { namespace, name } }: KubernetesObject): Target {
  return { kind, ...(namespace ? { namespace } : {}), name };
}

export const patched = (target: Target, merge: object): Deed => ({ patch: { ...target, merge } });

export function policyOf({ policy }: Propagated): Target {
  return targetOf(policy);
}
