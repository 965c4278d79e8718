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
/** Back-offs of up to 1000 s come round within this time. */
const APART = 50 * MINUTE;
/** So long before the next event nothing may move any more: who is in the middle of something then is a matter of moments. */
const REST = 20 * MINUTE;
/** Events of a world that are played: each takes the faulty driver seconds. */
const MOST_EVENTS = 3;
/** Orders that Karmada leaves open, of which any end will do. */
const ORDERS = 8;

/**
 * Whether an API that refuses, conflicts, answers late, loses answers and repeats itself brings a world to the end that virtual time brings it
 * to, in some order; if not, how they differ. What happens to the world comes with most of an hour in between; worlds that do not come
 * to rest in it are left out. So are those with an application failover, as how long something is unhealthy hangs on every delay, and those in
 * which the faults alone rebalance once more or hang Karmada permanently.
 *
 * @param api what the controllers are given in place of the API
 */
export async function endsAlikeOnBadApi(
  { seed, world, scenario, configuration }: GeneratedWorld,
  api: (given: WriteApi) => WriteApi = (given) => given,
): Promise<string | undefined> {
  const { start, members } = scenario;
  const starting = createStartingWorld(world, configuration, scenario);
  const events = scenario.events
    .slice(0, MOST_EVENTS)
    .map(({ action }, at) => ({ action, at: start + APART * (at + 1) }));
  const until = start + APART * (events.length + 2);
  const controllers = karmadaControllers(members);
  const justStarted = controllers.map(asStarted);

  /** Long after what happened last: before what happens next, and at the end. */
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
 * A Work whose copy stays has released it. If the answer about the Work's finalizer is lost, Karmada tries to release it once more, which is
 * refused of a copy that is no longer its own: the Work stays permanently, and a Cluster that waits for it (execution_controller.go,
 * cleanupPolicyClaimMetadata).
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
 * The result of a rebalancing was written and the answer about lastScheduledTime lost: Karmada divides once more, starting from what the
 * first time has left (scheduler.go, doScheduleBinding).
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

/** The controller without what it would remember of the time before the capture: those that run on the API have just been started. */
function asStarted<C extends Controller>(controller: C): C {
  const { resumes } = controller;
  if (!resumes) return controller;
  return { ...controller, resumes: (view, { configuration, now }) => resumes(view, { configuration, now }) };
}

/** Somebody who looks again and writes again until all is as it was to be. */
async function insist(host: FaultyHost, writes: () => Write[]): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    let done = true;
    for (const write of writes()) done &&= (await host.api.write(write, 'scheduler')).result === 'written';
    if (done) return;
  }
}

/** What an action comes to by then; nothing if Karmada refuses it, or what it is about is not there. */
function writesOf(action: ScenarioAction, view: View, configuration: Configuration, now: number): Write[] {
  try {
    return [...scenarioWrites(action, view, configuration, now)];
  } catch (error) {
    if (error instanceof ScenarioError) return [];
    throw error;
  }
}
