import type { Taint } from '../api/meta.ts';
import { TAINT_CLUSTER_UNSCHEDULABLE } from '../api/names.ts';

/** The key of a drain's marks on a cluster: its annotation, and its taint if it drains by taint. */
export const DRAIN_KEY = 'karmada-failover/drain';

/** The taint that `karmadactl cordon` adds. */
export const CORDON_TAINT: Taint = { key: TAINT_CLUSTER_UNSCHEDULABLE, effect: 'NoSchedule' };

/** The taint that a drain by taint adds. */
export const DRAIN_TAINT: Taint = { key: DRAIN_KEY, effect: 'NoExecute' };
