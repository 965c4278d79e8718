import type { Taint } from '../api/meta.ts';
import { TAINT_CLUSTER_UNSCHEDULABLE } from '../api/names.ts';

/** The key of what a drain leaves on a cluster: its annotation, and its taint if it drains by taint. */
export const DRAIN_KEY = 'karmada-failover/drain';

/** What `karmadactl cordon` writes. */
export const CORDON_TAINT: Taint = { key: TAINT_CLUSTER_UNSCHEDULABLE, effect: 'NoSchedule' };

/** What a drain by taint writes. */
export const DRAIN_TAINT: Taint = { key: DRAIN_KEY, effect: 'NoExecute' };
