import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import type { Dequeue, Note } from '../../../karmada/controllers/controller.ts';
import type { View } from '../../../karmada/controllers/view.ts';
import { bindingIdentity } from '../../../karmada/objects/identities.ts';
import { paceInWords } from '../../../karmada/taints/evictionPace.ts';
import { parseTaintedPairKey } from '../../../karmada/controllers/evictions/taintedPair.ts';
import type { EventDraft } from './eventDraft.ts';

/** What a controller decided without writing it, as events; `now` is epoch milliseconds. Some notes tell nothing. */
export function noteEvents(note: Note, view: View, now: number): EventDraft[] {
  const ofBinding = (key: string): ObjectIdentity[] => {
    const binding: ResourceBinding | undefined = view.get('Binding', key);
    return binding ? [bindingIdentity(binding)] : [];
  };
  switch (note.type) {
    case 'Tolerated':
      return note.until === undefined
        ? []
        : ofBinding(note.binding).map((object) => ({
            type: 'EvictionWaits',
            object,
            cluster: note.cluster,
            message: `tolerated for another ${formatDuration(Math.round((note.until! - now) / 1000) * 1000)}`,
          }));
    case 'NotMoved':
      return [];
    case 'EvictionsQueued': {
      const count = note.bindings.length;
      const what = count === 1 ? '1 workload enters' : `${count} workloads enter`;
      return [
        {
          type: 'EvictionsQueued',
          object: { kind: 'Cluster', name: note.cluster },
          cluster: note.cluster,
          message: `${what} the eviction queue, which ${paceInWords(note.pace)}`,
        },
      ];
    }
    case 'EvictionAbandoned':
      return ofBinding(note.binding).map((object) => ({
        type: 'EvictionAbandoned',
        object,
        cluster: note.cluster,
        message: note.reason,
      }));
    case 'EvictionPace':
      return [
        {
          type: 'EvictionPaceChanged',
          object: { kind: 'Deployment', name: 'karmada-controller-manager' },
          message: `the eviction queue ${paceInWords(note.pace)}: ${note.pace.reason}`,
        },
      ];
    case 'WaitsForDirectPurge':
      return ofBinding(note.binding).map((object) => ({
        type: 'WaitsForDirectPurge',
        object,
        cluster: note.clusters.join(', '),
        message: `no Work is written until the old one on ${note.clusters.join(', ')} is gone`,
      }));
    case 'PolicyWaits': {
      const [kind = '', namespace, name = ''] = note.object.split('/');
      return [
        {
          type: 'PolicyWaits',
          object: { kind, name, ...(namespace ? { namespace } : {}) },
          message: note.reason,
        },
      ];
    }
    case 'FreeChoice':
      return [];
  }
}

/** What waited for its turn in the eviction queue and has left it. */
export function dequeuedEvents({ key, reason }: Dequeue, view: View): EventDraft[] {
  const { cluster, binding } = parseTaintedPairKey(key);
  const found = view.get('Binding', binding);
  if (!found) return [];
  return [{ type: 'EvictionDropped', object: bindingIdentity(found), cluster, message: reason }];
}
