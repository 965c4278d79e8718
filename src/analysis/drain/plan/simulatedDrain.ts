import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import type { ReconcileRequest } from '../../../karmada/controllers/controller.ts';
import { isAttached } from '../../../karmada/objects/dependents.ts';
import { getOrAdd } from '../../../karmada/objects/getOrAdd.ts';
import { bindingKey } from '../../../karmada/objects/identities.ts';
import { replacementReady } from '../../../karmada/status/replacementReady.ts';
import type { Actor, Stage } from '../../../simulator/simulation/simulate.ts';
import { bindingsConcernedBy, bindingState, isLeaving, isOn } from '../decide/bindingState.ts';
import { RUN_KEY, type DrainMemory } from '../decide/drainMemory.ts';
import { drainSituation, type DrainSituation } from '../decide/drainSituation.ts';
import type { DrainStep } from '../decide/drainStep.ts';
import { createDrainController, drainStatus } from '../drainController.ts';
import type { DrainOptions } from '../drainOptions.ts';

/** When a drain took each step for a binding, in epoch milliseconds of the simulation. */
export interface DrainTimes {
  /** position in the order of evictions, from 1; absent if it was already evicted at the start */
  order?: number;
  evictedAt?: number;
  /** when its replacement was seen ready */
  readyAt?: number;
  /** when nothing of it was left on the drained clusters */
  goneAt?: number;
}

export interface SimulatedDrain {
  actor: Actor;
  /** To call when the simulation is over. */
  result(): {
    step: DrainStep;
    situation: DrainSituation;
    clusters: readonly Cluster[];
    /** a binding at the end, with its times; undefined if it was deleted */
    find(binding: ResourceBinding): { current: ResourceBinding; times: DrainTimes } | undefined;
  };
}

/**
 * A drain that acts in virtual time beside Karmada's controllers.
 *
 * @param name the drain's name, if there are several
 */
export function simulatedDrain(
  options: DrainOptions,
  configuration: Configuration,
  name?: string,
): SimulatedDrain {
  const controller = createDrainController({ options, configuration }, name);
  const { drain } = controller;
  const own = new Set(options.clusters);
  const times = new Map<string, DrainTimes>();
  const timesOf = (key: string) => getOrAdd<string, DrainTimes>(times, key, () => ({}));
  /** keys of the bindings that are evicted, or have left without a task, and are not gone yet */
  const leaving = new Set<string>();
  /** all keys that the drain has processed */
  const keys = new Set<string>([RUN_KEY]);
  let recall: NonNullable<ReconcileRequest<DrainMemory>['recall']> = () => undefined;
  let stage: Stage | undefined;
  let evictions = 0;

  const isEvicted = (binding: ResourceBinding) => isLeaving(binding, own);
  const situationIn = ({ time: { view } }: Stage) =>
    drainSituation(view, options, configuration, drain.cached.situation);

  function noteEvicted(key: string, now: number): void {
    const noted = timesOf(key);
    noted.order ??= ++evictions;
    noted.evictedAt ??= now;
  }

  /** Records when the replacement of a binding was first seen ready. */
  function noteReady({ time, ...given }: Stage, binding: ResourceBinding): void {
    const noted = timesOf(bindingKey(binding));
    if (noted.readyAt !== undefined) return;
    const { view } = time;
    const { clusters } = situationIn({ time, ...given });
    const rules = configuration.rules.scheduling;
    if (replacementReady(binding, view.worksOf(binding), clusters, view.hooks, rules).ready)
      noted.readyAt = time.now();
  }

  function noteReconcile(on: Stage, { key, view, now }: ReconcileRequest<DrainMemory>): void {
    if (!leaving.has(key)) return;
    const binding = view.get('Binding', key);
    if (binding) noteReady(on, binding);
    if (binding && bindingState(binding, situationIn(on), view, configuration.rules)) return;
    leaving.delete(key);
    timesOf(key).goneAt = now;
  }

  function follow(on: Stage): void {
    stage = on;
    const { time } = on;
    const { view } = time;
    for (const binding of bindingsConcernedBy(view, own))
      if (isEvicted(binding)) leaving.add(bindingKey(binding));
    time.follow(({ changes }) => {
      for (const change of changes)
        if (change.kind === 'Binding') {
          const { key, before, after } = change;
          if (leaving.has(key)) continue;
          if (after && isEvicted(after) && !isAttached(after.spec)) noteEvicted(key, time.now());
          if (after && isEvicted(after)) leaving.add(key);
          else if (before && isOn(before, own) && !(after && isOn(after, own))) leaving.add(key);
        } else if (change.kind === 'Work') {
          const work = change.after ?? change.before;
          const binding = work && view.bindingOf(work);
          // Karmada may end the task before the drain's next round.
          if (binding && leaving.has(bindingKey(binding))) noteReady(on, binding);
        }
    });
  }

  return {
    actor: {
      controllers: [
        {
          ...controller,
          reconcile(request: ReconcileRequest<DrainMemory>) {
            recall = request.recall ?? recall;
            keys.add(request.key);
            if (stage) noteReconcile(stage, request);
            const step = controller.reconcile(request);
            const evicted = step.memory?.course?.evictions ?? [];
            const before = request.memory?.course?.evictions ?? [];
            const last = evicted.at(-1);
            if (evicted.length > before.length && last !== undefined) {
              keys.add(last);
              noteEvicted(last, request.now);
            }
            return step;
          },
        },
      ],
      follow,
    },
    result() {
      if (!stage) throw new Error('the simulation has not begun');
      const { time } = stage;
      const { view } = time;
      const remembered = new Map(
        [...keys].flatMap((key) => {
          const memory = recall(key);
          return memory ? [[key, memory] as const] : [];
        }),
      );
      const bindings = bindingsConcernedBy(view, own);
      for (const key of keys) {
        const binding = view.get('Binding', key);
        if (binding) bindings.add(binding);
      }
      return {
        find(binding) {
          const key = bindingKey(binding);
          const current = view.get('Binding', key);
          return current && { current, times: times.get(key) ?? {} };
        },
        step: drainStatus(drain, view, { bindings, remembered, now: time.now() }),
        situation: situationIn(stage),
        clusters: view.fleet.clusters,
      };
    },
  };
}
