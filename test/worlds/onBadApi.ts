import { isDeepStrictEqual } from 'node:util';
import type { Controller } from '../../src/karmada/controllers/controller.ts';
import type { View } from '../../src/karmada/controllers/view.ts';
import type { Change, Write } from '../../src/karmada/controllers/write.ts';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { bindingKey, workKey } from '../../src/karmada/objects/identities.ts';
import { karmadaControllers } from '../../src/karmada/running/karmadaControllers.ts';
import { ScenarioError, scenarioWrites } from '../../src/simulator/simulation/scenarioWrites.ts';
import { createStartingWorld } from '../../src/simulator/store/startingWorld.ts';
import { canonicalOrdering, otherOrdering, type Ordering } from '../../src/simulator/virtualTime/ordering.ts';
import { createVirtualTime } from '../../src/simulator/virtualTime/virtualTime.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { EVICTION_REASON_APPLICATION_FAILURE } from '../../src/karmada/api/names.ts';
import type { WriteApi } from '../../src/operations/controllers/controllerHost.ts';
import { runControllers } from '../../src/operations/controllers/runControllers.ts';
import { endsOf, type Ends } from '../operations/controllers/endsOf.ts';
import { faultyHost, type FaultyHost } from '../operations/controllers/faultyHost.ts';
import { faultsOf } from '../operations/controllers/faults.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

const MINUTE = 60_000;
/** Back-offs of up to 1000 s elapse within this time. */
const APART = 50 * MINUTE;
/** How long before the next event everything must have stopped: otherwise the result would depend on small delays. */
const REST = 20 * MINUTE;
/** How many events of a world are played: each takes the faulty driver seconds. */
const MAX_EVENTS = 3;
/** How many orders that Karmada does not guarantee are tried; the end of any of them is accepted. */
const ORDERS = 8;

/**
 * Whether an API that refuses, conflicts, answers late, loses responses and repeats itself brings a world to the same
 * end as virtual time, in some order; if not, how they differ. The world's events are most of an hour apart; worlds
 * that do not settle by then are left out. So are those with an application failover, because the duration of
 * unhealthiness depends on every delay, and those in which the faults alone cause another rebalancing or block Karmada
 * permanently.
 * @param api replaces the API for the controllers
 */
export async function endsAlikeOnBadApi(
  { seed, world, scenario, configuration }: GeneratedWorld,
  api: (given: WriteApi) => WriteApi = (given) => given,
): Promise<string | undefined> {
  const { start, members } = scenario;
  const starting = createStartingWorld(world, configuration, scenario);
  const events = scenario.events
    .slice(0, MAX_EVENTS)
    .map(({ action }, at) => ({ action, at: start + APART * (at + 1) }));
  const until = start + APART * (events.length + 2);
  const controllers = karmadaControllers(members);
  const justStarted = controllers.map(asStarted);

  /** Long after the last event: before the next one, and at the end. */
  const isToRest = (now: number) =>
    now >= until - APART || events.some(({ at }) => now >= at - REST && now < at);

  let failedOver = false;
  const note = (change: Change) => void (failedOver ||= isApplicationFailover(change));
  function inVirtualTime(ordering: Ordering): { ends: Ends; restless: boolean; view: View } {
    const time = createVirtualTime(starting, { controllers: justStarted, ordering, explained: false });
    for (const { at, action } of events)
      time.plan(at, () => {
        for (const write of writesOf(action, time.view, configuration, time.now()))
          time.write('somebody', [write]);
      });
    let restless = false;
    time.follow(({ changes }) => {
      changes.forEach(note);
      if (!isToRest(time.now())) return;
      restless ||= changes.some(
        ({ kind, before, after }) =>
          kind === 'Binding' && before?.metadata.generation !== after?.metadata.generation,
      );
    });
    time.run(until);
    return { ends: endsOf(time.view), restless, view: time.view };
  }

  const calm = inVirtualTime(canonicalOrdering);
  if (calm.restless) return undefined;
  const orders = Array.from({ length: ORDERS }, (_, at) => inVirtualTime(otherOrdering(at + 1)).ends);
  const host = faultyHost(starting, faultsOf(seed));
  host.subscribe(note);
  const stop = new AbortController();
  const run = runControllers(
    controllers,
    { ...host, now: () => host.now(), api: api(host.api) },
    { signal: stop.signal },
  );
  for (const { at, action } of events)
    host.plan(at, () => {
      void insist(host, () => writesOf(action, host.view, configuration, host.now()));
    });
  await host.runUntil(until);
  stop.abort();
  await run;

  if (failedOver || hangs(host.view) || rebalancesAgain(host.view, calm.view)) return undefined;

  const found = endsOf(host.view);
  for (const key of new Set([...calm.ends.keys(), ...found.keys()]))
    if (![calm.ends, ...orders].some((ends) => isDeepStrictEqual(ends.get(key), found.get(key))))
      return `${key}: ${JSON.stringify(found.get(key))}, and calmly ${JSON.stringify(calm.ends.get(key))}`;
  return undefined;
}

/** A cluster is left because the application is unhealthy there. */
function isApplicationFailover({ kind, before, after }: Change): boolean {
  if (kind !== 'Binding') return false;
  const known = before?.spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster) ?? [];
  return (after?.spec.gracefulEvictionTasks ?? []).some(
    ({ fromCluster, reason }) =>
      reason === EVICTION_REASON_APPLICATION_FAILURE && !known.includes(fromCluster),
  );
}

/**
 * A Work whose copy stays has released it. If the response about the Work's finalizer is lost, Karmada tries to release
 * it again, which is refused for a copy that is no longer its own: the Work stays permanently, and so does a Cluster
 * waiting for it (execution_controller.go, cleanupPolicyClaimMetadata).
 */
function hangs(view: View): boolean {
  return [...view.all('Work')].some(
    (work) =>
      work.metadata.deletionTimestamp != null &&
      work.spec?.preserveResourcesOnDeletion &&
      view.get('Copy', workKey(work))?.managed === false,
  );
}

/**
 * The result of a rebalancing was written and the response about lastScheduledTime lost: Karmada divides again,
 * starting from the first result (scheduler.go, doScheduleBinding).
 */
function rebalancesAgain(view: View, calm: View): boolean {
  return [...view.all('Binding')].some((binding) => {
    const { metadata, spec } = binding;
    const calmly = calm.get('Binding', bindingKey(binding));
    return (
      spec.rescheduleTriggeredAt != null &&
      (metadata.generation ?? 0) > (calmly?.metadata.generation ?? Infinity)
    );
  });
}

/** The controller without its memory from before the capture: those on the API have just been started. */
function asStarted<C extends Controller>(controller: C): C {
  const { resumes } = controller;
  if (!resumes) return controller;
  return { ...controller, resumes: (view, { configuration, now }) => resumes(view, { configuration, now }) };
}

/** Reads and writes again until everything is as intended. */
async function insist(host: FaultyHost, writes: () => Write[]): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    let done = true;
    for (const write of writes()) done &&= (await host.api.write(write, 'scheduler')).result === 'written';
    if (done) return;
  }
}

/** The result of an action by then; nothing if Karmada refuses it, or its object does not exist. */
function writesOf(action: ScenarioAction, view: View, configuration: Configuration, now: number): Write[] {
  try {
    return [...scenarioWrites(action, view, configuration, now)];
  } catch (error) {
    if (error instanceof ScenarioError) return [];
    throw error;
  }
}
