import type { BindingSnapshot, ResourceBinding } from '../../../karmada/api/work.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { createKeyedQueue, type Agenda } from '../agenda.ts';
import type { BindingRecord, SimulatedControlPlane } from '../controlPlane.ts';
import { latencies } from '../../latencies.ts';

/**
 * The dependencies distributor: the requiredBy snapshot of an attached binding follows its parent's
 * spec.clusters, without a task.
 */
export function startDependenciesDistributor(plane: SimulatedControlPlane, agenda: Agenda): void {
  const parentKey = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`;
  const dependents = new Map<string, Set<BindingRecord>>();
  const attach = (record: BindingRecord) => {
    for (const { namespace, name } of record.current.spec.requiredBy ?? []) {
      const key = parentKey(namespace, name);
      const attached = dependents.get(key);
      if (attached) attached.add(record);
      else dependents.set(key, new Set([record]));
    }
  };
  plane.bindings.forEach(attach);

  function follow(parent: BindingRecord): void {
    const { namespace, name } = parent.current.metadata;
    for (const record of dependents.get(parentKey(namespace, name)) ?? []) {
      const requiredBy = (record.current.spec.requiredBy ?? []).map((snapshot) =>
        isOf(snapshot, parent.current)
          ? { ...snapshot, clusters: parent.current.spec.clusters ?? [] }
          : snapshot,
      );
      if (deepEqual(requiredBy, record.current.spec.requiredBy)) continue;
      plane.writeBinding(
        record,
        { spec: { ...record.current.spec, requiredBy } },
        {
          controller: 'dependencies-distributor',
          type: 'DependenciesFollowed',
          message: `follows ${name}`,
          evidence: [
            {
              rule: 'a dependent has its Works where its parent is scheduled, with no task to keep the old ones',
              object: parent.identity,
              field: 'spec.clusters',
              value: parent.current.spec.clusters,
            },
          ],
        },
      );
    }
  }
  const queue = createKeyedQueue<BindingRecord>(agenda, follow);

  plane.observe({
    bindingChanged(record, before) {
      if (!before) attach(record);
      if (!record.current.spec.propagateDeps || before?.spec.clusters === record.current.spec.clusters)
        return;
      queue.add(record, agenda.now() + latencies.dependenciesDistributor);
    },
  });
}

function isOf(snapshot: BindingSnapshot, parent: ResourceBinding): boolean {
  return (
    (snapshot.namespace ?? '') === (parent.metadata.namespace ?? '') && snapshot.name === parent.metadata.name
  );
}
