import { isObject, type JsonObject } from '../../kubernetes/json.ts';
import { kindKey } from './healthInterpreter.ts';
import type { InterpretedKind } from '../controllers/view.ts';

/** Raw status of a workload, as an item of aggregatedStatus carries it. */

/**
 * A plausible raw status for a workload with `ready` of `replicas` ready, in the form in which Karmada reflects the
 * kind's status (v1.18, pkg/resourceinterpreter/default/native/reflectstatus.go). `before` is the last report: it has
 * the generations and, for a kind that Karmada reflects whole, all other known fields. Undefined if nothing is known.
 */
export function reportedStatus(
  workload: InterpretedKind,
  replicas: number,
  ready: number,
  before?: unknown,
): unknown {
  const previous = isObject(before) ? before : undefined;
  if (kindKey(workload) === 'batch/v1/Job') return { ...previous, active: replicas };
  const reflect = reflections[kindKey(workload)];
  if (!reflect) return previous && withReplicaCounts(previous, replicas, ready);
  return withoutZeros({ ...generations(previous, replicas), ...reflect(replicas, ready) }, workload);
}

/**
 * The status of a workload whose new generation its controller in the member has not observed yet: its last report with
 * the generation raised; only generations if it is new.
 */
export function unobservedStatus(workload: InterpretedKind, before?: unknown): unknown {
  const previous = isObject(before) ? before : undefined;
  if (!reflections[kindKey(workload)]) return previous;
  return {
    ...previous,
    generation: count(previous?.generation) + 1,
    resourceTemplateGeneration: count(previous?.resourceTemplateGeneration) || 1,
  };
}

/**
 * The first report of a new object of a kind that Karmada reflects whole: the counts that others of its kind report,
 * with none ready yet. Undefined if no report of the kind is known.
 *
 * @param sample raw status of another object of the kind
 */
export function firstStatus(workload: InterpretedKind, replicas: number, sample: unknown): unknown {
  if (!reportsOwnCounts(workload) || !isObject(sample)) return undefined;
  const { observedGeneration, ...rest } = sample;
  const counts = Object.fromEntries(Object.entries(rest).filter(([field]) => field in replicaCounts(0, 0)));
  if (Object.keys(counts).length === 0) return undefined;
  const generation = typeof observedGeneration === 'number' ? { observedGeneration: 1 } : {};
  return withReplicaCounts({ ...generation, ...counts }, replicas, 0);
}

/** Whether a kind's replica counts are known only from reports. */
export function reportsOwnCounts(workload: InterpretedKind): boolean {
  return !reflections[kindKey(workload)] && kindKey(workload) !== 'batch/v1/Job';
}

type Reflection = (replicas: number, ready: number) => JsonObject;

const reflections: Record<string, Reflection> = {
  'apps/v1/Deployment': (replicas, ready) => ({
    replicas,
    updatedReplicas: replicas,
    readyReplicas: ready,
    availableReplicas: ready,
    unavailableReplicas: replicas - ready,
  }),
  'apps/v1/ReplicaSet': (replicas, ready) => ({ replicas, readyReplicas: ready, availableReplicas: ready }),
  'apps/v1/StatefulSet': (replicas, ready) => ({
    observedGeneration: 0,
    replicas,
    readyReplicas: ready,
    currentReplicas: replicas,
    updatedReplicas: replicas,
    availableReplicas: ready,
  }),
};

/** The counts that are printed even if 0; all others are omitted then. */
const printedZeros: Record<string, string[]> = {
  'apps/v1/Deployment': [],
  'apps/v1/ReplicaSet': ['replicas'],
  'apps/v1/StatefulSet': ['replicas', 'availableReplicas'],
};

function withoutZeros(status: JsonObject, workload: InterpretedKind): JsonObject {
  const printed = printedZeros[kindKey(workload)]!;
  return Object.fromEntries(
    Object.entries(status).filter(([field, value]) => value !== 0 || printed.includes(field)),
  );
}

// A change of replicas is a new generation of the object in the member.
function generations(previous: JsonObject | undefined, replicas: number): JsonObject {
  const last = count(previous?.generation);
  const scaled = typeof previous?.replicas === 'number' && previous.replicas !== replicas;
  const generation = scaled ? last + 1 : last || 1;
  return {
    generation,
    resourceTemplateGeneration: count(previous?.resourceTemplateGeneration) || 1,
    observedGeneration: generation,
  };
}

// Kinds that are reflected whole keep the other fields of their reports.
function withReplicaCounts(previous: JsonObject, replicas: number, ready: number): JsonObject {
  const known = Object.entries(replicaCounts(replicas, ready)).filter(
    ([field]) => typeof previous[field] === 'number',
  );
  return known.length === 0 ? previous : { ...previous, ...Object.fromEntries(known) };
}

/** The count fields of all kinds. */
function replicaCounts(replicas: number, ready: number): JsonObject {
  return { replicas, updatedReplicas: replicas, readyReplicas: ready, availableReplicas: ready };
}

const count = (value: unknown) => (typeof value === 'number' ? value : 0);
