import type { ChangeStep } from './change.ts';

/** The step that changes spec.replicas of a workload. */
export function replicaStep(replicas: number, asked: number): ChangeStep {
  return {
    kind: 'fewer-replicas',
    size: 4,
    text: `ask for ${replicas} ${replicas === 1 ? 'replica' : 'replicas'} instead of ${asked}`,
    apply: (proposal) => ({
      ...proposal,
      binding: { ...proposal.binding, spec: { ...proposal.binding.spec, replicas } },
    }),
  };
}
