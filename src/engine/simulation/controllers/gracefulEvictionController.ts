import type { Configuration } from '../../../karmada/configuration.ts';
import { assessEvictionTasks } from '../../eviction/gracefulEviction.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { latencies } from '../../latencies.ts';

/** The graceful eviction controllers: any change of a binding that has tasks makes them look. */
export function startGracefulEviction(
  plane: SimulatedControlPlane,
  agenda: Agenda,
  configuration: Configuration,
): void {
  const gracefulEvictionTimeout = configuration.controllerManager['graceful-eviction-timeout'];
  const hasTasks = (record: BindingRecord) => (record.current.spec.gracefulEvictionTasks?.length ?? 0) > 0;

  const queue = createKeyedQueue<BindingRecord>(agenda, (record) => {
    if (record.deleted || !hasTasks(record)) return;
    const now = agenda.now();
    const evidence = plane.evidence();
    const { spec } = record.current;
    const assessment = assessEvictionTasks(
      record.current,
      { now, gracefulEvictionTimeout, rules: configuration.rules },
      evidence,
    );
    if (assessment.changed) {
      const ended = assessment.evictedClusters;
      plane.writeBinding(
        record,
        { spec: { ...spec, gracefulEvictionTasks: assessment.keptTasks } },
        ended.length > 0
          ? {
              controller: 'graceful-eviction',
              type: 'TaskEnded',
              cluster: ended.join(','),
              reason: 'EvictWorkloadFromClusterSucceed',
              message:
                (spec.clusters?.length ?? 0) > 0
                  ? `the old copy on ${ended.join(', ')} is let go`
                  : `the old copy on ${ended.join(', ')} is let go with nothing in its place`,
              evidence,
            }
          : { controller: 'graceful-eviction', type: 'TaskStamped', evidence },
      );
    }
    // A task times out strictly after its deadline.
    if (assessment.nextRetry > 0) queue.add(record, now + assessment.nextRetry + 1);
  });
  const look = (record: BindingRecord) => {
    if (hasTasks(record)) queue.add(record, agenda.now() + latencies.gracefulEviction);
  };
  plane.observe({ bindingChanged: look, bindingStatusChanged: look });
  plane.bindings.forEach(look);
}
