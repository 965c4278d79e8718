import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { DrainOptions, DrainPace } from '../engine/drain/drainOptions.ts';
import type { DrainPlan, PlannedWorkload } from '../engine/drain/plan/drainPlan.ts';
import type { PlanBasis } from '../engine/drain/plan/planBasis.ts';
import type { TimelineEvent } from '../engine/simulation/timeline/timelineEvent.ts';
import {
  bool,
  int64,
  list,
  map,
  optional,
  raw,
  required,
  string,
  struct,
  time,
} from '../kubernetes/schema/schema.ts';
import { instant } from '../kubernetes/time.ts';
import { StateError } from './errors.ts';
import { systemProblem } from './systemProblem.ts';
import { checkOf } from './schema/check.ts';
import { Sharing } from './schema/sharing.ts';

/** A plan that was saved, and what it stands on. */
export interface SavedPlan {
  plan: DrainPlan;
  basis: PlanBasis;
  /** what it was made on, as documents tell assumptions */
  assumptions: SavedAssumption[];
}

interface SavedAssumption {
  name: string;
  value: unknown;
  source: string;
  assumed: boolean;
}

const identity = struct('identity', {
  kind: required(string),
  namespace: optional(string),
  name: required(string),
});
const placement = list(struct('placement', { name: required(string), replicas: optional(int64) }));
const basisObject = struct('standsOn', {
  object: required(identity),
  uid: optional(string),
  resourceVersion: optional(string),
  fields: required(map(string)),
});
const selection = struct('selection', {
  namespace: optional(string),
  labelSelector: optional(raw),
  kinds: optional(list(string)),
  policy: optional(string),
  skip: optional(list(string)),
  only: optional(list(string)),
});
const options = struct('options', {
  clusters: required(list(string), { minItems: 1 }),
  method: required(string, { enum: ['evict', 'taint'] }),
  hold: required(bool),
  purgeMode: required(string, { enum: ['Gracefully', 'Directly'] }),
  gracePeriodSeconds: optional(int64),
  selection: required(selection),
  pace: required(raw),
  accept: required(
    struct('accept', {
      loss: required(bool),
      blocked: required(bool),
      overcommit: required(bool),
      unhealthy: required(bool),
    }),
  ),
});
const workload = struct('workload', {
  kind: required(string),
  namespace: optional(string),
  name: required(string),
  binding: required(identity),
  uid: optional(string),
  resourceVersion: optional(string),
  from: required(placement),
  before: required(placement),
  after: required(placement),
  fate: required(string),
  order: optional(int64),
  evictedAt: optional(time),
  readyAt: optional(time),
  goneAt: optional(time),
  until: optional(time),
  deletedReady: optional(
    list(
      struct('deletedReady', { cluster: required(string), time: required(time), replicas: required(int64) }),
    ),
  ),
  flapping: optional(struct('flapping', { periodSeconds: required(raw), cause: required(string) })),
  requiredBy: optional(list(identity)),
  takesAlong: required(list(identity)),
  leavesBehind: required(list(identity)),
});
/** What an execution and its view read; docs/schema has all of it. */
const drainPlan = struct('DrainPlan', {
  now: required(time),
  karmadaVersion: required(string),
  options: required(options),
  assumptions: required(
    list(
      struct('assumption', {
        name: required(string),
        value: optional(raw),
        source: required(string),
        assumed: required(bool),
      }),
    ),
  ),
  durationSeconds: required(raw),
  refusals: required(list(raw)),
  cordons: required(list(raw)),
  workloads: required(list(workload)),
  clusters: required(list(raw)),
  atRest: required(bool),
  events: required(list(raw)),
  standsOn: required(
    struct('standsOn', {
      clusters: required(list(basisObject)),
      bindings: required(list(basisObject)),
    }),
  ),
});

/** Saves the text of a plan, whole or not at all. Throws a StateError that names the file. */
export async function writePlanFile(path: string, text: Iterable<string>): Promise<void> {
  const unfinished = `${path}.${process.pid}.new`;
  try {
    await writeFile(unfinished, text);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new StateError(`--out ${path}: the plan cannot be saved: ${systemProblem(error as Error)}`);
  }
}

/** Reads a plan that --out has saved. Throws a StateError that names the file and what is wrong with it. */
export async function readPlanFile(path: string): Promise<SavedPlan> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new StateError(`--plan ${path}: ${systemProblem(error as Error)}`);
  }
  return parsePlan(text, path);
}

function parsePlan(text: string, path: string): SavedPlan {
  const wrong = (what: string) =>
    new StateError(`--plan ${path}: ${what}; save one with drain --dry-run --out FILE`);
  let document: Record<string, unknown>;
  try {
    document = JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw wrong(`is no JSON (${(error as Error).message})`);
  }
  if (typeof document !== 'object' || document === null || document['kind'] !== 'DrainPlan')
    throw wrong('is no DrainPlan');
  if (document['schemaVersion'] !== 'v1')
    throw wrong(`schemaVersion ${JSON.stringify(document['schemaVersion'])} is not read, only "v1"`);
  const problem = checkOf(drainPlan)(document, new Sharing());
  if (problem) throw wrong(`${problem.path.slice(1)}: ${problem.message}`);
  const saved = document as unknown as PlanFile;
  for (const [field, numbers] of Object.entries({
    'options.pace': saved.options.pace,
    durationSeconds: saved.durationSeconds,
  }))
    for (const [name, value] of Object.entries(numbers))
      if (typeof value !== 'number') throw wrong(`${field}.${name}: ${JSON.stringify(value)} is no number`);
  const nowhere = saved.workloads.find(
    ({ fate, after }) => (fate === 'moves' || fate === 'partly-moves') && after.length === 0,
  );
  if (nowhere) throw wrong(`workloads: ${nowhere.kind} ${nowhere.name} moves and is nowhere`);
  return { plan: planOf(saved), basis: saved.standsOn, assumptions: saved.assumptions };
}

type SavedTimes = 'evictedAt' | 'readyAt' | 'goneAt' | 'until';

type SavedWorkload = Omit<PlannedWorkload, SavedTimes | 'deletedReady' | 'flapping'> &
  Partial<Record<SavedTimes, string>> & {
    deletedReady?: { cluster: string; time: string; replicas: number }[];
    flapping?: { periodSeconds: number; cause: string };
  };

/** As it was checked above. */
interface PlanFile extends Pick<
  DrainPlan,
  'karmadaVersion' | 'cordons' | 'clusters' | 'refusals' | 'atRest'
> {
  now: string;
  options: DrainOptions & { pace: DrainPace };
  durationSeconds: { shortest: number; expected: number; longest?: number };
  workloads: SavedWorkload[];
  events: (Omit<TimelineEvent, 'time'> & { time: string; offsetSeconds: number })[];
  standsOn: PlanBasis;
  assumptions: SavedAssumption[];
}

function planOf(saved: PlanFile): DrainPlan {
  const { karmadaVersion, options, cordons, clusters, refusals, atRest, durationSeconds } = saved;
  return {
    now: instant(saved.now),
    karmadaVersion,
    options,
    cordons,
    workloads: saved.workloads.map(workloadOf),
    clusters,
    refusals: refusals.map(({ risk, accepted, problem, workloads }) => ({
      risk,
      accepted,
      problem,
      workloads,
    })),
    duration: durationSeconds,
    atRest,
    events: saved.events.map(({ offsetSeconds: _offset, ...event }) => ({
      ...event,
      time: instant(event.time),
    })),
  };
}

function workloadOf({ evictedAt, readyAt, goneAt, until, ...saved }: SavedWorkload): PlannedWorkload {
  const { deletedReady, flapping, ...rest } = saved;
  const times = {
    ...timeIn('evictedAt', evictedAt),
    ...timeIn('readyAt', rest.fate === 'lost' ? undefined : readyAt),
    ...timeIn('goneAt', goneAt),
    ...timeIn('until', until),
  };
  return {
    ...rest,
    ...(deletedReady
      ? { deletedReady: deletedReady.map((one) => ({ ...one, time: instant(one.time) })) }
      : {}),
    ...(flapping ? { flapping: { period: flapping.periodSeconds * 1000, cause: flapping.cause } } : {}),
    ...times,
    // That what moves is somewhere has been checked.
  } as PlannedWorkload;
}

function timeIn<Name extends SavedTimes>(name: Name, value: string | undefined): { [name in Name]?: number } {
  return (value === undefined ? {} : { [name]: instant(value) }) as { [name in Name]?: number };
}
