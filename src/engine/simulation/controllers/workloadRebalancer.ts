import type { KubernetesObject, ObjectIdentity } from '../../../karmada/api/meta.ts';
import { instant, rfc3339 } from '../../../kubernetes/time.ts';
import { bindingName } from '../../objects/bindingName.ts';
import type { Agenda } from '../agenda.ts';
import { type BindingRecord, type SimulatedControlPlane } from '../controlPlane.ts';
import { identityOf } from '../../objects/identities.ts';
import { latencies } from '../latencies.ts';

/** apps.karmada.io/v1alpha1 WorkloadRebalancer, as far as it is read. */
interface WorkloadRebalancer extends KubernetesObject {
  spec?: { workloads?: ObjectIdentity[] };
}

/**
 * The WorkloadRebalancer controller: asks for a fresh scheduling of the workloads that a rebalancer lists, as of its
 * creation. One whose request is older than the last of the binding asks for nothing.
 */
export function startWorkloadRebalancer(plane: SimulatedControlPlane, agenda: Agenda): void {
  plane.observe({
    templateChanged(before, after) {
      if (before || after?.kind !== 'WorkloadRebalancer') return;
      const rebalancer = after as WorkloadRebalancer;
      const at = rebalancer.metadata.creationTimestamp ?? rfc3339(agenda.now());
      agenda.plan(agenda.now() + latencies.detector, () => {
        for (const workload of rebalancer.spec?.workloads ?? []) {
          const record = bindingOf(workload);
          if (record) trigger(record, rebalancer, at);
        }
      });
    },
  });

  function bindingOf({ kind, namespace, name }: ObjectIdentity): BindingRecord | undefined {
    return plane.findBinding({
      kind: namespace ? 'ResourceBinding' : 'ClusterResourceBinding',
      ...(namespace ? { namespace } : {}),
      name: bindingName(kind, name),
    });
  }

  function trigger(record: BindingRecord, rebalancer: WorkloadRebalancer, at: string): void {
    const { spec } = record.current;
    if (spec.rescheduleTriggeredAt && instant(spec.rescheduleTriggeredAt) >= instant(at)) return;
    plane.writeBinding(
      record,
      { spec: { ...spec, rescheduleTriggeredAt: at } },
      {
        controller: 'workload-rebalancer',
        type: 'RescheduleTriggered',
        evidence: [
          {
            rule: 'a WorkloadRebalancer asks for a fresh scheduling',
            object: identityOf(rebalancer),
            field: 'spec.workloads',
          },
        ],
      },
    );
  }
}
