import { startAudit, type Audit, type AuditOptions } from '../../analysis/audit/audit.ts';
import { contingenciesOf } from '../../analysis/audit/contingencies.ts';
import { unconfirmed, type AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import { usualMembers } from '../../simulator/store/savedSimulation.ts';
import type { Ports } from '../ports.ts';
import { memberAssumptions } from '../scenario/runScenario.ts';
import { selectedBindings, type Selection } from '../selection/selection.ts';
import { openStateToRead } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';
import { failoverSwitch, type FailoverSwitch } from '../../analysis/explanation/failoverSwitch.ts';
import { objectKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { missingKind, type World } from '../../karmada/world.ts';
import { parseDuration } from '../../kubernetes/time.ts';

/** The longest time with fewer ready replicas that people accept, in milliseconds. */
export interface RecoveryTargets {
  /** of workloads in namespaces that have none of their own; absent: none */
  all?: number | undefined;
  namespaces: ReadonlyMap<string, number>;
}

/** Which contingencies to audit, for which workloads. */
export interface AuditRequest {
  state: StateRequest;
  selection: Selection;
  /** labels of Clusters by whose values they fail together, too */
  groupBy: readonly string[];
  /** every two clusters, too */
  pairs: boolean;
  /** clusters get this taint instead of failing */
  taint?: AuditOptions['taint'];
  targets: RecoveryTargets;
  /** milliseconds that new replicas need until they are ready; absent: the usual guess */
  readyAfter?: number | undefined;
  /** ends the audit between two contingencies: the answer has what is known by then */
  signal: AbortSignal;
}

export interface AuditedFailover {
  audit: Audit;
  failover: FailoverSwitch;
  /** epoch milliseconds */
  now: number;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
}

/** What would be lost if any cluster, or group of clusters, failed. Rejects with a Problem if the state cannot be read. */
export async function auditFailover(request: AuditRequest, ports: Ports): Promise<AuditedFailover> {
  const state = await openStateToRead(request.state, ports);
  const { world, now, configuration, karmadaVersion, assumptions } = state;
  const guessed = unconfirmed(assumptions);
  const usual = usualMembers(world);
  const { readyAfter } = request;
  const members = readyAfter === undefined ? usual : { ...usual, workloadReadyAfter: readyAfter };
  const running = startAudit(
    world,
    selectedBindings(world, request.selection),
    { start: now, members },
    configuration,
    {
      contingencies: contingenciesOf(world.clusters, request),
      ...(request.taint && { taint: request.taint }),
      targetOf: targetsIn(world, request.targets, ports),
      unconfirmed: guessed,
      otherOrders: OTHER_ORDERS,
    },
  );
  await finished(running, request.signal, ports);
  const failover = failoverSwitch(
    world.clusters,
    world.taintPolicies,
    configuration,
    guessed,
    missingKind(world, 'ClusterTaintPolicy'),
    ports.names,
    world.bindings,
  );
  return {
    ...{ audit: running.result(), failover, now, karmadaVersion },
    assumptions: [
      ...assumptions,
      ...memberAssumptions({ members }, readyAfter !== undefined, world, ports.names),
    ],
  };
}

async function finished(
  { total, step }: ReturnType<typeof startAudit>,
  signal: AbortSignal,
  ports: Ports,
): Promise<void> {
  const progress = ports.startProgress();
  for (let done = 0; !signal.aborted && step(); done++) {
    progress.report('simulating contingencies', done + 1, total);
    // a signal is heard only between two of them
    await new Promise((resolve) => setImmediate(resolve));
  }
  progress.done();
}

/** Sets the target of one workload, as a duration: an annotation of the workload, or of its binding. */
export const TARGET_ANNOTATION = 'karmada-failover/rto';

/** The target of each workload in seconds: its annotation, else that of its namespace, else that of all. */
function targetsIn(
  { others }: World,
  { all, namespaces }: RecoveryTargets,
  ports: Ports,
): AuditOptions['targetOf'] {
  const annotated = new Map<string, string>();
  for (const { kind, metadata } of others) {
    const text = metadata.annotations?.[TARGET_ANNOTATION];
    if (text !== undefined) annotated.set(objectKey({ kind, ...metadata }), text);
  }
  return (binding) => {
    const workload = workloadIdentity(binding);
    const text = annotated.get(objectKey(workload)) ?? binding.metadata.annotations?.[TARGET_ANNOTATION];
    const own = text === undefined ? undefined : parseDuration(text);
    if (text !== undefined && own === undefined)
      ports.warn(
        `${workload.kind} ${workload.name}: annotation ${TARGET_ANNOTATION} "${text}" is not a duration such as 90s or 5m; it is ignored`,
      );
    const milliseconds = own ?? namespaces.get(workload.namespace ?? '') ?? all;
    return milliseconds === undefined ? undefined : milliseconds / 1000;
  };
}
