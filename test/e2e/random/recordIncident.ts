import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump } from 'js-yaml';
import { latencies } from '../../../src/karmada/latencies.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { up, type Bed } from '../controlPlane/bed.ts';
import { enact, pathOf, type Happening, type Target } from '../happening.ts';
import { HEALTH_MARKS, markKey } from '../members/healthMarks.ts';
import { collectionOf } from '../workloads.ts';
import { isRunning } from '../controlPlane/processes.ts';
import { createChance, type Chance } from './chance.ts';
import type { Incident } from './incidentOfSeed.ts';
import { startRecorder, type Recorder, type WatchRow } from './recorder.ts';
import type { Component, Deed, Edit } from './stage.ts';

const BINDINGS = '/apis/work.karmada.io/v1alpha2/resourcebindings';
const WORK = 'work.karmada.io/v1alpha1';
const WORKS = `/apis/${WORK}/works`;
/** a foreign finalizer that holds a Work */
const HOLDS = 'e2e.example/holds';
/** milliseconds without a move after which no more are expected; the taint manager looks every 10 s */
const QUIET = 13_000;
/** milliseconds within which a failure is noticed, a toleration ends or a recovery is confirmed */
const LATE_EFFECTS = 30_000;

/** An event of a scenario and its instant. */
type Event = { at: string } & (
  Happening | { fail: string } | { recover: string } | { stop: Component } | { start: Component }
);

/** The actions, and the API server's refusals. */
interface Done {
  at: string;
  deed: Deed;
  refused?: string;
}

/**
 * Starts a test bed, plays the stories of an incident one after another and writes what was observed of each to a folder with its name, in
 * the form that `npm run replay` replays: 01-before.json, watch.jsonl, readiness.jsonl and two scenarios. In scenario.yaml failures are at
 * the time when Karmada noticed them; in failures.yaml, when API servers and agents were really ended.
 * @param log called with each milestone
 */
export async function recordIncident(
  incident: Incident,
  directory: string,
  log: (line: string) => void,
): Promise<string[]> {
  const bed = await up(incident.bed, () => undefined);
  try {
    log('the test bed is up');
    const refused = await createWhatIsThere(bed, incident);
    await firstRest(bed);
    const folders: string[] = [];
    const marks: Marks = new Map();
    for (const [name, plan] of incident.stories) {
      if (folders.length > 0) {
        await restartAll(bed);
        if (incident.lateEffects !== undefined) await settle(bed);
      }
      const folder = join(directory, name);
      mkdirSync(folder, { recursive: true });
      const recorder = await startRecorder(bed, folder);
      const start = Date.now();
      const chance = createChance(incident.seed + 1_000_003 + folders.length);
      const actor = new Actor(bed, recorder, chance, marks);
      await sleep(1000);
      for (const { after, deed } of plan) {
        await sleep(Math.max(0, start + 1000 + after * 1000 - Date.now()));
        await actor.act(deed);
      }
      const atRest = await rest(bed, recorder, incident.lateEffects);
      await recorder.stop();
      writeScenarios(folder, incident, actor, recorder, start, Date.now());
      writeFileSync(
        join(folder, 'incident.json'),
        JSON.stringify(
          { seed: incident.seed, bed: incident.bed, atRest, refused, done: actor.done },
          null,
          1,
        ),
      );
      folders.push(folder);
      log(`recorded ${name}`);
    }
    return folders;
  } finally {
    await bed.down({ keepFiles: false });
  }
}

/** Restarts what was killed and waits until Karmada has found it alive. */
async function restartAll(bed: Bed): Promise<void> {
  for (const entry of bed.file.processes) if (!isRunning(entry)) bed.restart(entry.name);
  const { 'cluster-success-threshold': success = '0s', 'cluster-status-update-frequency': every = '0s' } =
    bed.file.options.controllerManager;
  await sleep(1000 * (Number.parseInt(success) + Number.parseInt(every) + 5));
}

/**
 * Waits until Karmada has reconciled everything. What failed while a member was away is retried after the same time again; a new process
 * does it at once.
 */
async function settle(bed: Bed): Promise<void> {
  await bed.kill('karmada-controller-manager');
  bed.restart('karmada-controller-manager');
  const isLeaving = async () =>
    (await bed.api().list(WORKS)).items.some(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && (await isLeaving());) await sleep(500);
  await firstRest(bed);
}

/** Creates the objects of an incident; those that Karmada refuses are left out and returned. */
async function createWhatIsThere(bed: Bed, { objects }: Incident): Promise<string[]> {
  const refused: string[] = [];
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    await bed
      .api()
      .create(collectionOf(apiVersion, kind, metadata.namespace), object)
      .catch((error: Error) => refused.push(error.message));
  }
  return refused;
}

/** Waits until no binding has been written for a while. */
async function firstRest(bed: Bed): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (let [version, since] = ['', Date.now()]; Date.now() < deadline && Date.now() - since < 6000;) {
    const { items } = await bed.api().list(BINDINGS);
    const now = items.map(({ metadata: { resourceVersion } }) => resourceVersion).join();
    if (now !== version) [version, since] = [now, Date.now()];
    await sleep(500);
  }
}

/** Waits until Karmada has nothing left to do, or for slightly longer than an eviction can take. */
async function rest(bed: Bed, recorder: Recorder, lateEffects = LATE_EFFECTS): Promise<boolean> {
  const timeout = Number.parseInt(bed.file.options.controllerManager['graceful-eviction-timeout'] ?? '60');
  const began = Date.now();
  const deadline = began + (timeout + 25) * 1000 + lateEffects - LATE_EFFECTS;
  while (Date.now() < deadline) {
    const isQuiet = Date.now() - recorder.lastMove() > QUIET && Date.now() - began > lateEffects;
    if (isQuiet && !(await isEvicting(bed))) return true;
    await sleep(500);
  }
  return false;
}

async function isEvicting(bed: Bed): Promise<boolean> {
  const { items } = await bed.api().list(BINDINGS);
  return (items as unknown as ResourceBinding[]).some(({ spec }) =>
    spec.gracefulEvictionTasks?.some(({ suppressDeletion }) => !suppressDeletion),
  );
}

/** Broken workloads, by cluster. */
type Marks = Map<string, Map<string, Target>>;

/** Carries out the actions of a plan and keeps what a scenario needs of them. */
class Actor {
  readonly done: Done[] = [];
  readonly events: Event[] = [];
  readonly failures: Event[] = [];
  readonly #bed: Bed;
  readonly #recorder: Recorder;
  readonly #chance: Chance;
  readonly #marks: Marks;
  #suppressed: Target | undefined;

  constructor(bed: Bed, recorder: Recorder, chance: Chance, marks: Marks) {
    this.#bed = bed;
    this.#marks = marks;
    this.#recorder = recorder;
    this.#chance = chance;
  }

  async act(deed: Deed): Promise<void> {
    const at = new Date().toISOString();
    try {
      await this.#do(deed, at);
      this.done.push({ at, deed });
    } catch (error) {
      this.done.push({ at, deed, refused: error instanceof Error ? error.message : String(error) });
    }
  }

  async #do(deed: Deed, at: string): Promise<void> {
    if ('kill' in deed) {
      await this.#bed.kill(deed.kill);
      this.#recorder.note(deed.cluster, deed.kill, false);
      this.failures.push({ at, fail: deed.cluster });
    } else if ('restart' in deed) {
      this.#bed.restart(deed.restart);
      this.#recorder.note(deed.cluster, deed.restart, true);
      this.failures.push({ at, recover: deed.cluster });
    } else if ('breakDown' in deed) await this.#breakDown(deed.breakDown, at);
    else if ('repair' in deed) await this.#repair(deed.repair, at);
    else if ('suppressDeletion' in deed) await this.#suppress(deed.suppressDeletion, at);
    else if ('stop' in deed) {
      await this.#bed.kill(deed.stop);
      this.events.push({ at, ...deed });
    } else if ('start' in deed) {
      this.#bed.restart(deed.start);
      this.events.push({ at, ...deed });
    } else if ('edit' in deed) await this.#edit(deed.edit, deed.how, at);
    else if ('holdWork' in deed) await this.#hold(deed.holdWork, deed.held, at);
    else {
      await enact(this.#bed.api(), deed);
      this.events.push({ at, ...deed });
    }
  }

  async #breakDown(target: Target, at: string): Promise<void> {
    const name = `${target.name}-${target.kind.toLowerCase()}`;
    const { spec } = await this.#bed
      .api()
      .get<ResourceBinding>(pathOf({ kind: 'ResourceBinding', namespace: target.namespace!, name }));
    const clusters = spec.clusters?.map((cluster) => cluster.name) ?? [];
    if (clusters.length === 0) throw new Error(`${name} is nowhere`);
    const cluster = this.#chance.oneOf(clusters);
    const marks = new Map(this.#marks.get(cluster)).set(markOf(target), target);
    await this.#writeMarks(cluster, marks);
    this.events.push({ at, health: { ...target, cluster, status: 'Unhealthy' } });
  }

  async #repair(target: Target, at: string): Promise<void> {
    for (const [cluster, marks] of this.#marks) {
      if (!marks.has(markOf(target))) continue;
      const left = new Map(marks);
      left.delete(markOf(target));
      await this.#writeMarks(cluster, left);
      this.events.push({ at, health: { ...target, cluster, status: 'Healthy' } });
    }
  }

  /** Does to Karmada's objects of a workload what an operator would do by hand, depending on their current state. */
  async #edit(workload: Target, how: Edit, at: string): Promise<void> {
    const api = this.#bed.api();
    const name = `${workload.name}-${workload.kind.toLowerCase()}`;
    const target = { kind: 'ResourceBinding', namespace: workload.namespace!, name };
    const { spec } = await api.get<ResourceBinding>(pathOf(target));
    const { clusters = [], gracefulEvictionTasks: tasks = [] } = spec;
    const enacted = async (happening: Happening) => {
      await enact(api, happening);
      this.events.push({ at, ...happening });
    };
    if (how === 'delete binding') return enacted({ delete: target });
    if (how === 'cancel evictions') {
      if (tasks.length === 0) throw new Error(`${name} is not being evicted`);
      return enacted({ patch: { ...target, merge: { spec: { gracefulEvictionTasks: null } } } });
    }
    const cluster = clusters.length > 0 ? this.#chance.oneOf(clusters) : undefined;
    if (!cluster) throw new Error(`${name} is nowhere`);
    if (how === 'delete Work') return enacted({ delete: await this.#workOf(target, cluster.name) });
    const left = clusters.filter((one) => one !== cluster);
    const task = {
      fromCluster: cluster.name,
      ...(cluster.replicas ? { replicas: cluster.replicas } : {}),
      reason: 'ManuallyDrained',
      producer: 'Operator',
      purgeMode: 'Gracefully',
    };
    const merge = {
      spec: { clusters: left, ...(how === 'evict' && { gracefulEvictionTasks: [...tasks, task] }) },
    };
    return enacted({ patch: { ...target, merge } });
  }

  /** The Work of a binding on a cluster. Throws if there is none. */
  async #workOf({ namespace, name }: Target, cluster: string): Promise<Target> {
    const works = await this.#worksOn(cluster);
    const found = works.find(({ metadata: { annotations = {} } }) => {
      const binding = 'resourcebinding.karmada.io';
      return annotations[`${binding}/name`] === name && annotations[`${binding}/namespace`] === namespace;
    });
    if (!found) throw new Error(`${name} has no Work on ${cluster}`);
    return { kind: 'Work', namespace: found.metadata.namespace!, name: found.metadata.name };
  }

  async #worksOn(cluster: string): Promise<KubernetesObject[]> {
    const { items } = await this.#bed.api().list(collectionOf(WORK, 'Work', `karmada-es-${cluster}`));
    return items;
  }

  /** Adds a finalizer to a Work of a cluster, or removes it from where it is. */
  async #hold(cluster: string, held: boolean, at: string): Promise<void> {
    const works = (await this.#worksOn(cluster)).filter(
      ({ metadata: { finalizers = [] } }) => finalizers.includes(HOLDS) !== held,
    );
    if (works.length === 0) throw new Error(`${cluster} has no Work for that`);
    const { metadata } = this.#chance.oneOf(works);
    const others = (metadata.finalizers ?? []).filter((one) => one !== HOLDS);
    const finalizers = held ? [...others, HOLDS] : others;
    const target = { kind: 'Work', namespace: metadata.namespace!, name: metadata.name };
    const patch = { ...target, merge: { metadata: { finalizers } } };
    await enact(this.#bed.api(), { patch });
    this.events.push({ at, patch });
  }

  async #writeMarks(cluster: string, marks: Map<string, Target>): Promise<void> {
    const { namespace, name } = HEALTH_MARKS;
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const data = Object.fromEntries([...marks.keys()].map((mark) => [mark, 'broken']));
    const api = this.#bed.api(cluster);
    if (this.#marks.has(cluster))
      await api.replace(`${path}/${name}`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
    else await api.create(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
    this.#marks.set(cluster, marks);
  }

  async #suppress(suppressDeletion: boolean, at: string): Promise<void> {
    const { items } = await this.#bed.api().list(BINDINGS);
    const evicting = (items as unknown as ResourceBinding[]).filter(
      ({ metadata: { name }, spec }) =>
        spec.gracefulEvictionTasks?.length && (suppressDeletion || name === this.#suppressed?.name),
    );
    if (evicting.length === 0) throw new Error('no workload is being evicted');
    const { metadata, spec } = this.#chance.oneOf(evicting);
    const gracefulEvictionTasks = spec.gracefulEvictionTasks!.map((task) => ({ ...task, suppressDeletion }));
    const target = { kind: 'ResourceBinding', namespace: metadata.namespace!, name: metadata.name };
    const patch = { ...target, merge: { spec: { gracefulEvictionTasks } } };
    await enact(this.#bed.api(), { patch });
    this.#suppressed = target;
    this.events.push({ at, patch });
  }
}

function markOf({ kind, namespace = '', name }: Target): string {
  return markKey(kind, namespace, name);
}

function writeScenarios(
  folder: string,
  { bed, seed }: Incident,
  { events, failures }: Actor,
  recorder: Recorder,
  start: number,
  end: number,
): void {
  const { featureGates, controllerManager, agent = {}, readyAfter } = bed;
  // the members here report replicas as ready at once
  const workloadReadyAfter = `${readyAfter * 1000 - latencies.readinessReport}ms`;
  const scenario = {
    description: `random incident of seed ${seed}`,
    start: new Date(start).toISOString(),
    until: new Date(end).toISOString(),
    assume: {
      featureGates,
      controllerManager,
      agent,
      webhook: { 'allow-no-execute-taint-policy': true },
      workloadReadyAfter,
    },
  };
  const write = (file: string, more: Event[]) =>
    writeFileSync(
      join(folder, file),
      dump({ ...scenario, events: [...events, ...more].sort((a, b) => a.at.localeCompare(b.at)) }),
    );
  write('scenario.yaml', noticed(recorder.rows('clusters'), start));
  write('failures.yaml', failures);
}

type Conditions = { status?: { conditions?: { type: string; status: string; reason: string }[] } };

/** What Karmada noticed of failures: every change of a cluster's Ready condition. */
function noticed(rows: WatchRow[], start: number): Event[] {
  const before = new Map<string, string>();
  return rows.flatMap(({ time, object }): Event[] => {
    const cluster = object.metadata.name;
    const ready = (object as Conditions).status?.conditions?.find(({ type }) => type === 'Ready');
    if (!ready) return [];
    const known = before.get(cluster);
    before.set(cluster, ready.status);
    if (known === undefined || known === ready.status || Date.parse(time) < start) return [];
    const { status, reason } = ready;
    return [{ at: time, condition: { cluster, type: 'Ready', status, reason } }];
  });
}
