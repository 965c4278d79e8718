import type { KubernetesObject } from './meta.ts';

/** An Event of the core API, as Karmada's components write them: times in whole seconds of their own clocks. */
export interface Event extends KubernetesObject {
  involvedObject?: { kind?: string; namespace?: string; name?: string };
  reason?: string;
  message?: string;
  /** how often it was said: similar ones are counted together */
  count?: number;
  /** RFC 3339 */
  firstTimestamp?: string | null;
  /** RFC 3339 */
  lastTimestamp?: string | null;
  source?: { component?: string };
}
