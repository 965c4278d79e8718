import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Happening, Target } from '../happening.ts';
import type { Chance } from './chance.ts';
import type { Propagated } from './workloadsOfSeed.ts';

/** Something done to the test bed; what a scenario can say as such, and what shows only in what it leads to. */
export type Deed =
  | Happening
  /** ends a process of the bed, or starts it again */
  | { kill: string; cluster: string }
  | { restart: string; cluster: string }
  /** a workload breaks down on one of the clusters it is on, or all of them are repaired */
  | { breakDown: Target }
  | { repair: Target }
  /** the deletion of the old copy is suppressed, or no longer, for a workload that is being evicted then */
  | { suppressDeletion: boolean }
  /** one of Karmada's own components ends, or starts again */
  | { stop: Component }
  | { start: Component }
  /** somebody edits what Karmada keeps of a workload: its binding, or a Work of it, as it is then */
  | { edit: Target; how: Edit }
  /** somebody's finalizer holds a Work of a cluster, or no longer */
  | { holdWork: string; held: boolean };

/** A component of Karmada that a scenario can stop. */
export type Component = 'karmada-controller-manager' | 'karmada-scheduler';

/** A cluster taken out of the binding, evicted gracefully, every task cancelled; the binding or one of its Works deleted. */
export type Edit = 'remove cluster' | 'evict' | 'cancel evictions' | 'delete binding' | 'delete Work';

/** What is done, each after so many seconds, in order. */
export type Plan = { after: number; deed: Deed }[];

/** What an act may do something to. */
export interface Stage {
  chance: Chance;
  members: readonly { name: string; syncMode: 'Push' | 'Pull' }[];
  workloads: readonly Propagated[];
  /** whether ClusterTaintPolicies taint clusters that are not ready */
  taintPolicies: boolean;
  /** whether things may be of the kinds that generated worlds do without; see workloadOfSeed */
  wide: boolean;
  /** whether members end namespaces, so that one can be deleted */
  endsNamespaces: boolean;
  chapter: string;
  /** the second at which it is done */
  at: number;
  /** things that were done to clusters and objects: not done twice */
  taken: Set<string>;
}

/** One random thing, or a few that belong together; none if there is nothing left to do it to. */
export type Act = (stage: Stage) => Plan;

export const nameOf = ({ name }: { name: string }) => name;

/** Takes something of the stage, once; undefined if all of it is taken. */
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
