import type { Configuration } from '../../../karmada/configuration.ts';
import { applicationFailover, type UnhealthySince } from '../../application/applicationFailover.ts';
import { hasHealthInterpreter, type DeclaredHooks } from '../../status/healthInterpreter.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { latencies } from '../latencies.ts';

const forgotten: UnhealthySince = new Map();

/** The application failover controllers, with their timers in memory. */
export function startApplicationFailover(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  configuration: Configuration,
  hooks: DeclaredHooks,
): void {
  const timers = new Map<BindingRecord, UnhealthySince>();
  const failing = new Set<BindingRecord>();
  const takesPart = (record: BindingRecord) => record.current.spec.failover?.application !== undefined;

  const queue = createKeyedQueue<BindingRecord>(agenda, (record) => {
    if (record.deleted) return;
    const now = agenda.now();
    const result = applicationFailover(record.current, timers.get(record) ?? forgotten, {
      now,
      gates: configuration.featureGates,
      hasHealthInterpreter: (resource) => hasHealthInterpreter(resource, hooks),
    });
    if (result.unhealthySince.size > 0) timers.set(record, result.unhealthySince);
    else timers.delete(record);
    if (result.error !== undefined) {
      if (!failing.has(record))
        plane.note({
          controller: 'application-failover',
          type: 'EvictionBlocked',
          object: record.identity,
          message: result.error,
          evidence: [],
        });
      // Karmada retries with back-off; only another status or spec changes the result, and either wakes this.
      failing.add(record);
      return;
    }
    failing.delete(record);
    if (result.evictedClusters.length > 0)
      plane.writeBinding(
        record,
        { spec: result.spec },
        {
          controller: 'application-failover',
          type: 'Evicted',
          cluster: result.evictedClusters.join(','),
          reason: 'ApplicationFailure',
          message: `evicted from ${result.evictedClusters.join(', ')}: unhealthy for longer than tolerated`,
          evidence: result.evictedClusters.map((cluster) => ({
            rule: 'unhealthy for longer than failover.application.decisionConditions.tolerationSeconds',
            object: record.identity,
            field: `status.aggregatedStatus[clusterName=${cluster}].health`,
            value: 'Unhealthy',
          })),
        },
      );
    // At the very end of the toleration it is not over yet.
    if (result.requeueAfter > 0) queue.add(record, now + result.requeueAfter + 1);
  });
  const look = (record: BindingRecord) => {
    if (takesPart(record)) queue.add(record, agenda.now() + latencies.applicationFailover);
  };
  plane.observe({ bindingChanged: look, bindingStatusChanged: look });
  plane.bindings.forEach(look);
}
