import { createKeyedQueue, type Agenda } from '../agenda.ts';
import { aggregateStatus } from '../../status/aggregateStatus.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { latencies } from '../../latencies.ts';
import type { Members } from '../members.ts';

/** The binding status controllers: aggregatedStatus is rebuilt when a Work's status changes. */
export function startStatusAggregation(plane: SimulatedControlPlane, agenda: Agenda, members: Members): void {
  const queue = createKeyedQueue<BindingRecord>(agenda, (record) => {
    if (record.deleted) return;
    const before = record.current.status ?? {};
    const aggregatedStatus = aggregateStatus(
      [...members.worksOf(record).values()].filter(({ deletingSince }) => deletingSince === undefined),
    );
    if (deepEqual(aggregatedStatus, before.aggregatedStatus)) return;
    for (const item of aggregatedStatus) {
      const old = before.aggregatedStatus?.find(({ clusterName }) => clusterName === item.clusterName);
      if (old?.health === item.health) continue;
      plane.note({
        controller: 'binding-status',
        type: 'HealthChanged',
        object: record.identity,
        cluster: item.clusterName,
        message: item.health,
        evidence: [],
      });
    }
    plane.writeBindingStatus(record, { ...before, aggregatedStatus });
  });
  members.onWorkStatus((record) => queue.add(record, agenda.now() + latencies.statusAggregation));
}
