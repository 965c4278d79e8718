import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import type { World } from '../../karmada/world.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { simulate } from '../../simulator/simulation/simulate.ts';
import type { StageOptions } from '../../simulator/simulation/stage.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Audit, AuditOptions } from './audit.ts';
import { actionOn, type Contingency } from './contingencies.ts';
import { groupedBy } from '../../kubernetes/nonEmpty.ts';

/** The course of a workload in a contingency, step by step. */
export interface WorkloadEvents {
  contingency: string;
  /** key of its binding */
  binding: string;
  /** of the binding and of clusters, in order */
  events: TimelineEvent[];
}

/** The most bindings in all of these simulations: each contingency is simulated again, with all its steps. */
const MAX_SIMULATED = 100_000;
const MAX_CONTINGENCIES = 40;
/** Enough for a page of a few megabytes. */
const MAX_COURSES = 1_500;

/** The contingencies whose courses are worth simulating: those that bring the most workloads into trouble. */
export function contingenciesToSimulate({ contingencies }: Audit, bindings: number): Contingency[] {
  const most = Math.min(MAX_CONTINGENCIES, Math.floor(MAX_SIMULATED / Math.max(1, bindings)));
  const harmed = ({ troubles }: Audit['contingencies'][number]) =>
    Object.values(troubles).reduce((sum, count) => sum + count, 0);
  return contingencies
    .filter((one) => one.kind !== 'pair' && harmed(one) > 0)
    .sort((a, b) => harmed(b) - harmed(a))
    .slice(0, most);
}

/** The courses of the workloads that a contingency brings into trouble, as long as MAX_COURSES is not reached. */
export function eventsIn(
  contingency: Contingency,
  { workloads }: Audit,
  world: World,
  when: Pick<Scenario, 'start' | 'members'>,
  configuration: Configuration,
  {
    taint,
    unverified,
    known,
  }: Pick<AuditOptions, 'taint'> & Pick<StageOptions, 'unverified'> & { known: number },
): WorkloadEvents[] {
  const harmed = workloads
    .filter(({ troubles }) => troubles.some((one) => one.contingency === contingency.name))
    .slice(0, MAX_COURSES - known);
  if (harmed.length === 0) return [];
  const { clusters: failing } = contingency;
  const events = failing.map((name) => ({ at: when.start, action: actionOn(name, taint) }));
  const simulation = simulate(world, { ...when, events }, configuration, {
    ...(unverified && { unverified }),
  });
  const byObject = groupedBy(simulation.events, ({ object }) => objectKey(object));
  const ofClusters = failing.flatMap((name) => byObject.get(objectKey({ kind: 'Cluster', name })) ?? []);
  return harmed.map(({ binding }) => {
    const key = objectKey(binding);
    const events = [...ofClusters, ...(byObject.get(key) ?? [])].sort((a, b) => a.time - b.time);
    return { contingency: contingency.name, binding: key, events };
  });
}
