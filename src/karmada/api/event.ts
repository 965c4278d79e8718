import { kindOf } from '../../kubernetes/schema/meta.ts';
import { int32, optional, pointer, string, struct, type Data } from '../../kubernetes/schema/schema.ts';
import type { KubernetesObject } from './meta.ts';

/**
 * An Event of the core API, as Karmada's components write them: times in whole seconds of their own clocks. No decision
 * rests on Events: one without an object or a time is not worth refusing a state.
 */
export const Event = kindOf('v1.Event', {
  involvedObject: optional(
    struct('v1.ObjectReference', {
      kind: optional(string),
      namespace: optional(string),
      name: optional(string),
    }),
  ),
  reason: optional(string),
  message: optional(string),
  source: optional(struct('v1.EventSource', { component: optional(string) })),
  /** RFC 3339 */
  firstTimestamp: optional(pointer(string)),
  /** RFC 3339 */
  lastTimestamp: optional(pointer(string)),
  /** how often it was said: similar ones are counted together */
  count: optional(int32),
});

export type Event = KubernetesObject & Data<typeof Event>;
