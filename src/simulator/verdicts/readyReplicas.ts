import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Copy } from '../../karmada/controllers/kinds.ts';
import type { Change, ChangeOf } from '../../karmada/controllers/write.ts';
import type { SavedSimulation } from '../store/savedSimulation.ts';
import { bindingKey, bindingName, snapshotKey, workKey } from '../../karmada/objects/identities.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';

/** The ready replicas of workloads on reachable members, as users see them. */
export interface ReadyReplicas {
  /** of a binding, by key, at present; only on one cluster if that is given */
  of(binding: string, cluster?: string): number;
  /** its copies on a cluster, reachable or not */
  there(binding: string, cluster: string): readonly Copy[];
  /** its copy on a reachable cluster is not ready, and never will be */
  isOverdue(binding: string, cluster: string): boolean;
  /** calls `listener` for bindings whose ready replicas may have changed, right after the change */
  onChange(listener: (binding: string) => void): void;
}

/**
 * Follows the copies of all workloads. A copy left in a member counts as long as it runs.
 *
 * One long function: the counts and their updates belong together.
 *
 * @param saved the saved state of an earlier run
 * @param alone the view returns only a few bindings: the others are not needed
 */
export function followReadyReplicas(
  time: VirtualTime,
  saved?: SavedSimulation,
  alone = false,
): ReadyReplicas {
  const { view } = time;
  /** copies whose Work is deleted, by their binding */
  const left = new Map<string, Set<string>>();
  const owners = new Map<string, string>();
  /** the counts by binding; changes of copies update them */
  const counted = new Map<string, number>();
  const listeners: ((binding: string) => void)[] = [];

  for (const [key, { workload }] of Object.entries(saved?.copies ?? {})) {
    if (view.get('Work', key)) continue;
    const { kind, namespace, name } = workload;
    owners.set(key, snapshotKey({ namespace, name: bindingName(kind, name) }));
    copyChanged(key, view.get('Copy', key));
  }

  const up = (cluster: string) => view.get('Member', cluster)?.up ?? false;

  function anywhere(key: string): Copy | undefined {
    return view.get('Copy', key);
  }

  function reachable(key: string): Copy | undefined {
    const copy = anywhere(key);
    return copy && up(copy.cluster) ? copy : undefined;
  }

  /** The copies of its Works, and those whose Works are deleted; only those on `cluster` if that is given. */
  function copiesOf(key: string, cluster?: string, find = reachable): Copy[] {
    const binding = view.get('Binding', key);
    const works = binding && view.worksOf(binding);
    const copies: Copy[] = [];
    const applied = cluster === undefined ? works?.values() : [works?.get(cluster)];
    for (const work of applied ?? []) {
      const copy = work && find(workKey(work));
      if (copy) copies.push(copy);
    }
    for (const one of left.get(key) ?? []) {
      const copy = find(one);
      if (!copy || (cluster !== undefined && copy.cluster !== cluster)) continue;
      const work = works?.get(copy.cluster);
      if (!work || workKey(work) !== one) copies.push(copy);
    }
    return copies;
  }

  function of(key: string, cluster?: string): number {
    if (cluster !== undefined) return readyOf(copiesOf(key, cluster));
    const known = counted.get(key);
    if (known !== undefined) return known;
    const ready = readyOf(copiesOf(key));
    counted.set(key, ready);
    return ready;
  }

  function recount({ before, after }: ChangeOf<'Copy'>, owner: string): void {
    const known = counted.get(owner);
    if (known === undefined) return;
    const ready = (copy: Copy | undefined) => (copy && up(copy.cluster) ? copy.ready : 0);
    counted.set(owner, known + ready(after) - ready(before));
  }

  function copyChanged(key: string, copy: Copy | undefined): string | undefined {
    const owner = owners.get(key) ?? ownerOf(view.get('Work', key));
    if (owner !== undefined) keep(owner, key, copy);
    return owner;
  }

  function ownerOf(work: Work | undefined): string | undefined {
    const binding = work && view.bindingOf(work);
    return binding && bindingKey(binding);
  }

  function keep(owner: string, key: string, copy: Copy | undefined): void {
    owners.set(key, owner);
    if (!copy) left.get(owner)?.delete(key);
    else if (left.has(owner)) left.get(owner)!.add(key);
    else left.set(owner, new Set([key]));
  }

  /** The bindings with copies in a member, even if their Works are being deleted or gone. */
  function withCopiesOn(cluster: string): Set<string> {
    const found: ResourceBinding[] = alone
      ? [...view.all('Binding')].filter((binding) => view.worksOf(binding).has(cluster))
      : view.worksOn(cluster).flatMap((work) => view.bindingOf(work) ?? []);
    const keys = new Set(found.map(bindingKey));
    for (const [owner, copies] of left)
      for (const key of copies) if (view.get('Copy', key)?.cluster === cluster) keys.add(owner);
    return keys;
  }

  /** each binding once */
  function concerned(change: Change): readonly string[] {
    switch (change.kind) {
      case 'Copy': {
        const owner = copyChanged(change.key, change.after);
        if (owner === undefined) return [];
        recount(change, owner);
        return [owner];
      }
      case 'Work': {
        // A report does not change the copy.
        if (change.before?.metadata === change.after?.metadata) return [];
        // The copy may exist longer than its Work, so its owner is recorded.
        const owner = ownerOf(change.before ?? change.after);
        if (owner === undefined) return [];
        // The same step may have changed its copy, with an owner unknown until now.
        const copy = view.get('Copy', change.key);
        if (change.before ? !change.after && !owners.has(change.key) : copy) counted.delete(owner);
        if (change.before) {
          keep(owner, change.key, copy);
          return [owner];
        }
        owners.set(change.key, owner);
        return [];
      }
      case 'Binding':
        if (!change.before || !change.after) counted.delete(change.key);
        return [];
      case 'Member': {
        if (change.before?.up === change.after?.up) return [];
        const owners = withCopiesOn(change.key);
        for (const owner of owners) counted.delete(owner);
        return [...owners];
      }
      default:
        return [];
    }
  }

  time.follow(({ changes }) => {
    const touched = changes.length === 1 ? concerned(changes[0]!) : new Set(changes.flatMap(concerned));
    for (const key of touched) for (const listener of listeners) listener(key);
  });
  const isOverdue = (key: string, cluster: string) =>
    copiesOf(key, cluster).some((copy) => copy.stuck === true);
  const there = (key: string, cluster: string) => copiesOf(key, cluster, anywhere);
  return { of, there, isOverdue, onChange: (listener) => void listeners.push(listener) };
}

function readyOf(copies: readonly Copy[]): number {
  return copies.reduce((sum, { ready }) => sum + ready, 0);
}
