import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { plainNames, type InputNames } from '../../karmada/configuration/inputNames.ts';
import type { TimelineEvent } from '../../simulator/simulation/timeline/timelineEvent.ts';
import type { Doubt } from '../../simulator/verdicts/doubt.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import type { PresentState } from './presentState.ts';
import type { SchedulingDecision } from './schedulingDecision.ts';

/** The doubts of an outcome, of the steps to it and of the scheduler's decision, each once. */
export function doubtsOf(
  outcome: WorkloadOutcome,
  chain: TimelineEvent[],
  decision: SchedulingDecision,
  { replicas, clusters }: PresentState,
  {
    configuration,
    unconfirmed,
    names = plainNames,
  }: { configuration: Configuration; unconfirmed: ReadonlySet<string>; names?: InputNames | undefined },
): Doubt[] {
  const doubts: Doubt[] = [];
  const add = (doubt: Doubt) => {
    if (!doubts.some(({ what, missing }) => what === doubt.what && missing === doubt.missing))
      doubts.push(doubt);
  };
  if (outcome.certainty !== 'certain')
    for (const what of outcome.dependsOn ?? []) add({ certainty: outcome.certainty, what });
  for (const { certainty, rule, missing } of chain.flatMap(({ evidence }) => evidence))
    if (certainty && certainty !== 'certain') add({ certainty, what: rule, ...(missing ? { missing } : {}) });
  // Replicas that are not ready yet are assumed to start with the last scheduling.
  const starting = clusters.filter(({ health, stale }) => health !== null && health !== 'Healthy' && !stale);
  if (replicas !== null && starting.length > 0)
    add({
      certainty: 'estimate',
      what: `when the replicas on ${starting.map(({ name }) => name).join(', ')} become ready: assumed from the last scheduling on, or never if that time is over`,
      missing: `${names.readyAfter} DURATION`,
    });
  if (decision.hypothetical && dividesByRoom(decision)) {
    const estimator = 'enable-scheduler-estimator';
    if (configuration.scheduler[estimator] || unconfirmed.has(estimator))
      add({
        certainty: configuration.scheduler[estimator] ? 'unknown' : 'estimate',
        what: configuration.scheduler[estimator]
          ? 'the room on clusters: scheduler estimators answer for it, and the state does not hold what they say'
          : 'the room on clusters, as reported in status.resourceSummary: scheduler estimators would know better',
        missing: `${names.assume} ${estimator}=BOOLEAN, or the Deployment of karmada-scheduler in the state`,
      });
  }
  return doubts;
}

/** Whether the decision rests on the room of clusters. */
function dividesByRoom({ strategy, groups }: SchedulingDecision): boolean {
  return (
    strategy === 'DynamicWeight' ||
    strategy === 'Aggregated' ||
    groups.some(({ spread }) => spread !== undefined && spread.rule !== 'all')
  );
}
