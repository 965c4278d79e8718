import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { DrainOptions, DrainPace } from '../../analysis/drain/drainOptions.ts';
import type { DrainPlan, PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import type { PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { countOfEach } from '../../kubernetes/longLists.ts';
import { instant } from '../../kubernetes/time.ts';
import { parseJsonText } from '../json/jsonProblem.ts';
import { checkedPlan, readPlanText } from './planText.ts';
import { show, type FieldProblem } from '../schema/check.ts';
import type { Shape } from '../../karmada/shape.ts';
import { firstProblem, problemIn } from '../shape.ts';

export interface SavedPlan {
  plan: DrainPlan;
  basis: PlanBasis;
  /** the assumptions behind it, as in documents */
  assumptions: AnsweredAssumption[];
}

/** Reads a saved plan. Throws a StateError that names the file and the problem. */
export async function readPlanFile(path: string): Promise<SavedPlan> {
  const text = await readPlanText(path);
  return (await planParser())(text, path);
}

/**
 * Resolves to a parser for the text of a plan file, which throws a StateError that names the file, the line and the
 * field.
 */
export async function planParser(): Promise<(text: string, path: string) => SavedPlan> {
  const { validate } = await import('./planValidator.ts');
  const checks = {
    kind: 'DrainPlan',
    advice: 'save one with a dry run of drain',
    validate,
    contradiction: contradictionIn,
  };
  return (text, path) => {
    const saved = checkedPlan(text, path, checks);
    return { plan: planOf(saved), basis: saved.standsOn, assumptions: saved.assumptions };
  };
}

/** Errors that the schema does not catch: impossible dates, and contradictory options. */
function contradictionIn(saved: PlanFile): FieldProblem | undefined {
  const { hold, method, purgeMode, clusters } = saved.options;
  if (hold && (method === 'taint' || purgeMode === 'Directly'))
    return {
      path: 'options.hold',
      message: `true contradicts ${method === 'taint' ? 'method taint' : 'purgeMode Directly'}`,
    };
  const drained = new Set(clusters);
  for (const [at, workload] of saved.workloads.entries()) {
    const { fate, after, from } = workload;
    const path = `workloads[${at}]`;
    if ((fate === 'moves' || fate === 'partly-moves') && after.length === 0)
      return {
        path: `${path}.after`,
        message: `${workload.kind} ${workload.name} moves, but has no cluster`,
      };
    const again = firstProblem(['kind', 'namespace', 'name'] as const, (name) =>
      workload.workload[name] === workload[name] ? undefined : name,
    );
    if (again)
      return {
        path: `${path}.workload.${again}`,
        message: `${show(workload.workload[again])} contradicts ${path}.${again}, ${show(workload[again])}`,
      };
    const stranger = from.find(({ name }) => !drained.has(name));
    if (stranger)
      return {
        path: `${path}.from[${from.indexOf(stranger)}].name`,
        message: `${show(stranger.name)} is not one of options.clusters`,
      };
  }
  return (
    firstProblem(saved.standsOn.bindings.entries(), ([at, { fields }]) =>
      isPlacement(fields[PLACEMENT])
        ? undefined
        : {
            path: `standsOn.bindings[${at}].fields[${JSON.stringify(PLACEMENT)}]`,
            message: `${show(fields[PLACEMENT])} is not a list of clusters in JSON`,
          },
    ) ??
    miscounted(saved) ??
    firstProblem(timesOf(saved), ([path, time]) =>
      Number.isNaN(instant(time)) ? { path, message: `${show(time)} is not an RFC 3339 time` } : undefined,
    )
  );
}

/** A total of the summary that contradicts its list. Plans saved by earlier versions have no summary. */
function miscounted({ summary, options, workloads, refusals }: PlanFile): FieldProblem | undefined {
  if (!summary) return undefined;
  const lists = { clusters: options.clusters, workloads, refusals };
  const wrong = firstProblem(['clusters', 'workloads', 'refusals'] as const, (name) =>
    summary[name] === lists[name].length ? undefined : name,
  );
  if (wrong)
    return {
      path: `summary.${wrong}`,
      message: `${show(summary[wrong])} contradicts the list, which has ${lists[wrong].length}`,
    };
  const outcomes = countOfEach(workloads.flatMap(({ outcome }) => outcome ?? []));
  return deepEqual(summary.outcomes, outcomes)
    ? undefined
    : {
        path: 'summary.outcomes',
        message: `${show(summary.outcomes)} contradicts the outcomes of workloads`,
      };
}

/** The field whose changed value is shown as a placement, not as JSON. */
const PLACEMENT = 'spec.clusters';
const TARGET_CLUSTERS: Shape = {
  list: { fields: { name: 'string', replicas: 'number' }, optional: ['replicas'] },
};

/** Whether a text is a placement, or what is saved for one: absent, null, or the digest of a long one. */
function isPlacement(text: string | undefined): boolean {
  if (text === undefined || text === 'null' || text.startsWith('digest:')) return true;
  const json = parseJsonText(text);
  return !('problem' in json) && problemIn(json.value, TARGET_CLUSTERS, '') === undefined;
}

function* timesOf({ now, workloads, events }: PlanFile): Generator<[path: string, time: string]> {
  yield ['now', now];
  for (const [at, workload] of workloads.entries()) {
    for (const name of ['evictedAt', 'readyAt', 'goneAt', 'until'] as const)
      if (workload[name] !== undefined) yield [`workloads[${at}].${name}`, workload[name]];
    for (const [index, { time }] of (workload.deletedReady ?? []).entries())
      yield [`workloads[${at}].deletedReady[${index}].time`, time];
  }
  for (const [at, { time }] of events.entries()) yield [`events[${at}].time`, time];
}

type SavedTimes = 'evictedAt' | 'readyAt' | 'goneAt' | 'until';

type SavedWorkload = Omit<PlannedWorkload, SavedTimes | 'deletedReady' | 'flapping'> &
  Partial<Record<SavedTimes, string>> & {
    deletedReady?: { cluster: string; time: string; replicas: number }[];
    flapping?: { periodSeconds: number; cause: string };
    /** repeats kind, namespace and name, as in other lists */
    workload: ObjectIdentity;
  };

/** A plan that has passed the checks above. */
interface PlanFile extends Pick<
  DrainPlan,
  'karmadaVersion' | 'cordons' | 'clusters' | 'refusals' | 'atRest'
> {
  now: string;
  options: DrainOptions & { pace: DrainPace };
  summary?: Record<string, unknown>;
  durationSeconds: { shortest: number; expected: number; longest?: number };
  workloads: SavedWorkload[];
  events: (Omit<TimelineEvent, 'time'> & { time: string; offsetSeconds: number })[];
  standsOn: PlanBasis;
  assumptions: AnsweredAssumption[];
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
  const { deletedReady, flapping, workload: _again, dependsOn = [], ...rest } = saved;
  const times = {
    ...timeIn('evictedAt', evictedAt),
    ...timeIn('readyAt', rest.fate === 'lost' ? undefined : readyAt),
    ...timeIn('goneAt', goneAt),
    ...timeIn('until', until),
  };
  return {
    ...rest,
    ...(dependsOn.length > 0 ? { dependsOn } : {}),
    ...(deletedReady && { deletedReady: deletedReady.map((one) => ({ ...one, time: instant(one.time) })) }),
    ...(flapping ? { flapping: { period: flapping.periodSeconds * 1000, cause: flapping.cause } } : {}),
    ...times,
    // contradictionIn has checked that a workload that moves has a cluster.
  } as PlannedWorkload;
}

function timeIn<Name extends SavedTimes>(name: Name, value: string | undefined): { [name in Name]?: number } {
  return (value === undefined ? {} : { [name]: instant(value) }) as { [name in Name]?: number };
}
