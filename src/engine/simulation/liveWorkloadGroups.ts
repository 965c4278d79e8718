import { groupKey, groupKeys, type WorkloadGroups } from '../scheduling/workloadGroups.ts';
import type { BindingRecord, SimulatedControlPlane } from './controlPlane.ts';

/** The workload affinity groups of a simulation, with their bindings as they are when asked for. */
export function liveWorkloadGroups(plane: SimulatedControlPlane): WorkloadGroups {
  const groups = new Map<string, Set<BindingRecord>>();
  const enter = (record: BindingRecord) => {
    for (const key of groupKeys(record.current)) {
      const members = groups.get(key);
      if (members) members.add(record);
      else groups.set(key, new Set([record]));
    }
  };
  plane.bindings.forEach(enter);
  plane.observe({
    bindingChanged(record, before) {
      if (before?.spec.workloadAffinityGroups === record.current.spec.workloadAffinityGroups) return;
      for (const key of before ? groupKeys(before) : []) groups.get(key)?.delete(record);
      enter(record);
    },
  });
  return {
    members: (...group) =>
      [...(groups.get(groupKey(...group)) ?? [])]
        .filter(({ deleted }) => !deleted)
        .map(({ current }) => current),
  };
}
