import { paceEvidence, type EvictionPace } from '../../taints/evictionPace.ts';
import type { Controller, Look, Step } from '../controller.ts';
import { paceIn, setsPace } from './evictionQueue.ts';

/** The pace that was reported last. */
type Told = Pick<EvictionPace, 'mode' | 'rate'>;

/** Its one key: the pace is the same for all clusters. */
const ALL = 'all clusters';

/**
 * Reports when the eviction queue of the design optimize-cluster-failover changes its pace. The queue itself asks for
 * the pace before each turn.
 */
export const evictionPaceTeller: Controller<Told> = {
  wakes: { Cluster: (change) => (setsPace(change) ? [{ key: ALL }] : []) },
  resumes: () => [{ key: ALL }],
  look: tell,
};

function tell({ view, memory, configuration, evidence }: Look<Told>): Step<Told> {
  const pace = paceIn(view, configuration);
  const { mode, rate } = pace;
  const before = memory ?? {
    mode: 'normal',
    rate: configuration.controllerManager['resource-eviction-rate'],
  };
  if (before.mode === mode && before.rate === rate) return { memory: { mode, rate } };
  evidence?.push(paceEvidence(pace));
  return { memory: { mode, rate }, notes: [{ type: 'EvictionPace', pace }] };
}
