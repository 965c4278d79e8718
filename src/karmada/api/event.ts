import { kindOf } from '../../kubernetes/schema/meta.ts';
import { int32, optional, pointer, string, struct, type Data } from '../../kubernetes/schema/schema.ts';
import type { KubernetesObject } from './meta.ts';

/**
 * A core Event, as Karmada's components write it: times in whole seconds of the component's own clock. No decision
 * depends on Events, so one without an object or a time does not make a state invalid.
 */
export const Event = kindOf('v1.Event', {
  involvedObject: optional(
    struct('v1.ObjectReference', {
      kind: optional(string),
      namespace: optional(string),
      name: optional(string),
    }),
  ),
  /** Normal or Warning */
  type: optional(string),
  reason: optional(string),
  message: optional(string),
  source: optional(struct('v1.EventSource', { component: optional(string) })),
  /** RFC 3339 */
  firstTimestamp: optional(pointer(string)),
  /** RFC 3339 */
  lastTimestamp: optional(pointer(string)),
  /** number of occurrences: similar Events are counted together */
  count: optional(int32),
});

export type Event = KubernetesObject & Data<typeof Event>;
