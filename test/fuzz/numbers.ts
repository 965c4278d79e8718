import { fieldsOf, valueAt, withField, type Step } from './mutations.ts';
import type { Random } from './random.ts';
import type { Json, Manifest } from './world.ts';

/** The limits of 32 bits and of doubled values; also as strings that no schema accepts as numbers. */
export const LARGEST = 2 ** 31 - 1;
export const NUMBERS: readonly (number | string)[] = [
  LARGEST,
  LARGEST - 1,
  2 ** 30,
  2 ** 30 + 1,
  -(2 ** 31),
  0,
  -1,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  String(LARGEST),
  String(2 ** 31),
];

/** Numeric fields that people omit, and quantities, by kind: places for numbers in addition to those in the state. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  Cluster: [
    'status.resourceSummary.allocatable.cpu',
    'status.resourceSummary.allocatable.memory',
    'status.resourceSummary.allocatable.pods',
    'status.resourceSummary.allocated.pods',
    'status.resourceSummary.allocating.pods',
  ],
  ResourceBinding: [
    'metadata.deletionGracePeriodSeconds',
    'spec.schedulePriority.priority',
    'spec.failover.application.gracePeriodSeconds',
    'spec.failover.cluster.tolerationSeconds',
    'spec.gracefulEvictionTasks.0.gracePeriodSeconds',
    'spec.gracefulEvictionTasks.0.preservedLabelState.a',
    'spec.replicaRequirements.resourceRequest.cpu',
    'spec.replicaRequirements.resourceRequest.memory',
  ],
  PropagationPolicy: [
    'spec.failover.application.gracePeriodSeconds',
    'spec.failover.application.statePreservation.rules.0.jsonPath',
    'spec.failover.cluster.tolerationSeconds',
    'spec.schedulePriority.priority',
  ],
  ClusterTaintPolicy: ['spec.taintsToAdd.0.addOnMatchSeconds', 'spec.taintsToAdd.0.removeOnMismatchSeconds'],
  Deployment: [
    'spec.minReadySeconds',
    'spec.progressDeadlineSeconds',
    'spec.revisionHistoryLimit',
    'spec.strategy.rollingUpdate.maxSurge',
    'spec.strategy.rollingUpdate.maxUnavailable',
    'spec.template.spec.terminationGracePeriodSeconds',
    'spec.template.spec.priority',
  ],
  StatefulSet: ['spec.minReadySeconds', 'spec.ordinals.start', 'status.replicas', 'status.readyReplicas'],
  CronJob: ['spec.startingDeadlineSeconds', 'spec.jobTemplate.spec.parallelism'],
  Job: ['spec.parallelism', 'spec.completions', 'spec.backoffLimit', 'spec.ttlSecondsAfterFinished'],
  Event: ['count', 'series.count'],
  Work: ['status.manifestStatuses.0.identifier.ordinal'],
};

/** The place of a number: an object of a state, and the path of the field. */
export interface NumericField {
  index: number;
  steps: readonly Step[];
}

/** All places of numbers in a state: existing and omitted ones. */
export function numericFields(items: readonly Manifest[]): NumericField[] {
  return items.flatMap((object, index) => [
    ...fieldsOf(object)
      .filter((steps) => typeof valueAt(object, steps) === 'number')
      .map((steps) => ({ index, steps })),
    ...(LEFT_OUT[String(object['kind'])] ?? []).map((path) => ({
      index,
      steps: path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
    })),
  ]);
}

/** The kind and the field, the same for all elements of lists: "ResourceBinding spec.clusters[].replicas". */
export function nameOfField(items: readonly Manifest[], { index, steps }: NumericField): string {
  const path = steps.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');
  return `${String(items[index]!['kind'])} ${path.slice(1)}`;
}

/** The state with a number in that place; parents are created. */
export function withNumber(
  items: readonly Manifest[],
  { index, steps }: NumericField,
  number: Json,
): Manifest[] {
  return items.map((object, other) => (other === index ? (put(object, steps, number) as Manifest) : object));
}

/** The state with one to three of its numbers replaced. */
export function withExtremeNumbers(items: readonly Manifest[], random: Random): Manifest[] {
  let changed = [...items];
  for (let left = 1 + random.below(3); left > 0; left--)
    changed = withNumber(changed, random.of(numericFields(changed)), random.of(NUMBERS));
  return changed;
}

/** A document, such as a plan or a scenario, with one of its numbers replaced. */
export function withExtremeNumber(document: Manifest, random: Random): Manifest {
  const places = fieldsOf(document).filter((steps) => typeof valueAt(document, steps) === 'number');
  if (places.length === 0) return document;
  return withField(document, random.of(places), () => random.of(NUMBERS)) as Manifest;
}

function put(value: Json | undefined, [step, ...rest]: readonly Step[], number: Json): Json {
  if (step === undefined) return number;
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? [...value] : [];
    items[step] = put(items[step], rest, number);
    return items;
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...fields, [step]: put(fields[step], rest, number) };
}
