import type { Configuration } from '../../../karmada/configuration.ts';
import { planWorks } from '../../eviction/works.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { latencies } from '../../latencies.ts';
import type { Members } from '../members.ts';
import { nextRetry } from '../../controllers/retryBackoff.ts';

/** The binding controllers: orphaned Works go, the Works of the target clusters are written. */
export function startBindingController(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  members: Members,
  configuration: Configuration,
): void {
  const options = {
    statefulFailoverInjection: configuration.featureGates.StatefulFailoverInjection,
    rules: configuration.rules,
  };
  /** the labels that state preservation has put into the Works of a binding */
  const injected = new Map<BindingRecord, Map<string, string>>();
  const waiting = new Set<BindingRecord>();

  const queue = createKeyedQueue<BindingRecord>(agenda, (record) => {
    if (record.deleted) return;
    const works = members.worksOf(record);
    const existing = [...works.values()].map(({ cluster, deletingSince }) => ({
      cluster,
      // The execution controller's finalizer is on every Work.
      held: true,
      deleting: deletingSince !== undefined,
    }));
    const plan = planWorks(record.current.spec, existing, options);
    for (const { cluster, deleting } of existing) {
      if (deleting || plan.fates.get(cluster) === 'kept') continue;
      note(record, 'WorkDeleted', cluster, 'no longer wanted there');
      members.remove(record, cluster);
    }
    if (plan.requeueAfter !== undefined) {
      if (!waiting.has(record)) {
        waiting.add(record);
        const names = plan.waitingFor.join(', ');
        note(
          record,
          'WaitsForDirectPurge',
          names,
          `no Work is written until the old one on ${names} is gone`,
        );
      }
      queue.add(record, agenda.now() + plan.requeueAfter);
      return;
    }
    waiting.delete(record);
    for (const { cluster, replicas, preservedLabels, blockedByDeletion } of plan.writes) {
      const work = works.get(cluster);
      if (blockedByDeletion && work) {
        work.rewriteFailingSince ??= agenda.now();
        continue;
      }
      const labels = JSON.stringify(Object.entries(preservedLabels).sort());
      const known = injected.get(record)?.get(cluster) ?? '[]';
      const written = members.write(record, cluster, replicas, labels !== known);
      if (labels !== known) injected.set(record, new Map(injected.get(record)).set(cluster, labels));
      if (written === 'created') note(record, 'WorkCreated', cluster, copies(replicas));
      else if (written === 'updated') note(record, 'WorkUpdated', cluster, copies(replicas));
    }
  });

  function note(
    record: BindingRecord,
    type: 'WorkCreated' | 'WorkUpdated' | 'WorkDeleted' | 'WaitsForDirectPurge',
    cluster: string,
    message: string,
  ): void {
    plane.note({
      controller: 'binding-controller',
      type,
      object: record.identity,
      cluster,
      message,
      evidence: [],
    });
  }

  members.onWorkGone((record, work) => {
    plane.note({
      controller: 'execution-controller',
      type: 'WorkRemoved',
      object: record.identity,
      cluster: work.cluster,
      evidence: [],
    });
    if (work.rewriteFailingSince !== undefined)
      queue.add(record, nextRetry(work.rewriteFailingSince, agenda.now()));
  });
  plane.observe({
    bindingChanged(record, before) {
      if (before?.metadata.generation === record.current.metadata.generation) return;
      queue.add(record, agenda.now() + latencies.bindingController);
    },
  });
  // A binding that waited for a direct purge when the state was captured goes on waiting.
  for (const record of plane.bindings)
    if (record.current.spec.gracefulEvictionTasks?.length)
      queue.add(record, agenda.now() + latencies.bindingController);
}

function copies(replicas: number): string {
  return replicas === 1 ? '1 replica' : `${replicas} replicas`;
}
