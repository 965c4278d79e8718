import type { Simulation } from '../../src/simulator/simulation/simulation.ts';
import type { TimelineEventType } from '../../src/simulator/simulation/timeline/timelineEvent.ts';
import type { ResourceBinding, Work } from '../../src/karmada/api/work.ts';
import { objectsAt } from './moments.ts';
import type { Recording } from './recording.ts';
import { keyOf } from './replay.ts';

/** The events of a Work: written, its deletion requested, and gone. */
export interface WorkStep {
  time: number;
  what: 'created' | 'deleted' | 'removed';
}

/** The events of each binding's Works on each cluster, by "namespace/name → cluster". */
export type WorkSteps = Map<string, WorkStep[]>;

/** The real events of Works after a moment (epoch milliseconds), up to where simulations of the recording end. */
export function recordedWorks({ before, changes, until }: Recording, after: number): WorkSteps {
  const steps: WorkSteps = new Map();
  const deleting = new Map<string, boolean>();
  const see = (time: number, type: string, work: Work) => {
    const key = ownerOf(work) ?? workKey(keyOf(work.metadata), clusterOf(work));
    const known = deleting.get(key);
    const isDeleting = work.metadata.deletionTimestamp !== undefined;
    const note = (what: WorkStep['what']) => {
      if (time > after && time <= until) steps.set(key, [...(steps.get(key) ?? []), { time, what }]);
    };
    if (known === undefined && type !== 'DELETED') note('created');
    if (!known && (isDeleting || type === 'DELETED')) note('deleted');
    if (type === 'DELETED') {
      note('removed');
      deleting.delete(key);
    } else deleting.set(key, isDeleting);
  };
  for (const object of before) if (object.kind === 'Work') see(0, 'ADDED', object as unknown as Work);
  for (const { time, resource, type, object } of changes)
    if (resource === 'works') see(time, type, object as unknown as Work);
  return steps;
}

/** The events of Works in a simulation of a recording, which reports their owners after their bindings are gone. */
export function simulatedWorks({ events }: Simulation, recording: Recording): WorkSteps {
  const owners = ownersOfWorks(recording);
  const kinds: Partial<Record<TimelineEventType, WorkStep['what']>> = {
    WorkCreated: 'created',
    WorkDeleted: 'deleted',
    WorkRemoved: 'removed',
  };
  const steps: WorkSteps = new Map();
  for (const { time, type, object, cluster } of events) {
    const what = kinds[type];
    if (!what || cluster === undefined) continue;
    const key = (object.kind === 'Work' && owners.get(keyOf(object))) || workKey(keyOf(object), cluster);
    steps.set(key, [...(steps.get(key) ?? []), { time, what }]);
  }
  return steps;
}

/** The binding and the cluster of each observed Work. */
function ownersOfWorks({ before, changes }: Recording): Map<string, string> {
  const works = [
    ...before.filter(({ kind }) => kind === 'Work'),
    ...changes.filter(({ resource }) => resource === 'works').map(({ object }) => object),
  ] as unknown as Work[];
  return new Map(works.map((work) => [keyOf(work.metadata), ownerOf(work) ?? '']));
}

/** The bindings that each binding is ever attached to, because they depend on it. */
export function leadersOf({ before, changes }: Recording): Map<string, Set<string>> {
  const leaders = new Map<string, Set<string>>();
  for (const object of [...before, ...changes.map((change) => change.object)]) {
    const { requiredBy = [] } = (object as Partial<ResourceBinding>).spec ?? {};
    const key = keyOf(object.metadata);
    for (const leader of requiredBy) leaders.set(key, (leaders.get(key) ?? new Set()).add(keyOf(leader)));
  }
  return leaders;
}

/** Since when (epoch milliseconds) each Work terminating at a moment has been terminating. */
export function deletingWorks(recording: Recording, at: number): Map<string, number> {
  const works = objectsAt(recording, at).filter(({ kind }) => kind === 'Work') as unknown as Work[];
  return new Map(
    works.flatMap((work) => {
      const { deletionTimestamp } = work.metadata;
      const key = ownerOf(work) ?? workKey(keyOf(work.metadata), clusterOf(work));
      return deletionTimestamp ? [[key, Date.parse(deletionTimestamp)] as const] : [];
    }),
  );
}

/**
 * Whether a Work's way is the other's with one more step: it waits for a retry at a time that the answer calls unknown.
 * @param dependsOn what the answer about its binding depends on
 */
export function waitsForAnnouncedRetry(
  { key, recorded, simulated }: { key: string } & Record<'recorded' | 'simulated', readonly WorkStep[]>,
  dependsOn: readonly string[],
): boolean {
  const [short, long] = recorded.length < simulated.length ? [recorded, simulated] : [simulated, recorded];
  const cluster = clusterOfWork(key);
  return (
    short.length < long.length &&
    short.every(({ what }, i) => what === long[i]!.what) &&
    dependsOn.some((what) => what.includes(`the Work on ${cluster} is`) && what.includes('retry time'))
  );
}

/**
 * Whether the ways of a Work part at a retry: one is the other with one more step, and the recording ends before the other has waited as
 * long again as it had been failing. No capture shows how often it has failed.
 * @param since since when it is being deleted, epoch milliseconds
 * @param until the end of the recording
 */
export function waitsForRetry(
  { recorded, simulated }: Record<'recorded' | 'simulated', readonly WorkStep[]>,
  since: number,
  until: number,
): boolean {
  const [short, long] = recorded.length < simulated.length ? [recorded, simulated] : [simulated, recorded];
  const last = short.at(-1);
  if (!last || long.length === short.length || !short.every(({ what }, i) => what === long[i]!.what))
    return false;
  return until - last.time <= last.time - since;
}

const EXECUTION_NAMESPACE = 'karmada-es-';

/** The key of a Work: its binding and its cluster; undefined for a Work without annotations. */
export function ownerOf(work: Work): string | undefined {
  const { annotations = {} } = work.metadata;
  const name = annotations['resourcebinding.karmada.io/name'];
  const clusterWide = annotations['clusterresourcebinding.karmada.io/name'];
  const binding = name
    ? `${annotations['resourcebinding.karmada.io/namespace'] ?? ''}/${name}`
    : clusterWide && `/${clusterWide}`;
  return binding && workKey(binding, clusterOf(work));
}

function clusterOf({ metadata: { namespace = '' } }: Work): string {
  return namespace.slice(EXECUTION_NAMESPACE.length);
}

export function bindingOfWork(key: string): string {
  return key.split(' → ')[0]!;
}

export function clusterOfWork(key: string): string {
  return key.split(' → ')[1]!;
}

/** The key of a binding's Work on a cluster. */
export function workKey(binding: string, cluster: string): string {
  return `${binding} → ${cluster}`;
}
