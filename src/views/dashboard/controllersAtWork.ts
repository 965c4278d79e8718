import type { ObservedControllers, ObservedLease } from '../../analysis/overview/feed.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asWarning } from '../../presentation/words.ts';
import { lasting, relativeTime } from '../words/duration.ts';

const MANAGER = 'karmada-controller-manager';
const OURS = 'controller run';

/**
 * The state of the controllers that matters now: ours running, Karmada's manager silent, or unknown; nothing if
 * Karmada's runs normally.
 */
export function controllerWords({ karmadas, ours }: ObservedControllers, now: number): Words[] {
  const found: Words[] = [];
  if (ours.state === 'held') found.push(asWarning(`${OURS} active ${lasting(ours.since, now)}`));
  if (ours.state === 'expired')
    found.push(asBad(`${OURS}: last Lease renewal ${relativeTime(ours.renewed, now)}`));
  if (karmadas.state === 'expired')
    found.push(asBad(`${MANAGER}: last Lease renewal ${relativeTime(karmadas.renewed, now)}`));
  if (karmadas.state === 'unknown' || ours.state === 'unknown') found.push(asFaint('controllers unknown'));
  return found;
}

/** The holders of the controllers' Leases, in full. */
export function controllerBlocks({ karmadas, ours }: ObservedControllers, now: number): Block[] {
  return [
    {
      type: 'section',
      title: 'Active controllers, by their Leases in karmada-system',
      blocks: [
        {
          type: 'keyValues',
          entries: [
            [MANAGER, [leaseWords(karmadas, now), TODO_KARMADA[karmadas.state] ?? '']],
            [OURS, [leaseWords(ours, now), TODO_OURS[ours.state] ?? '']],
          ],
        },
      ],
    },
  ];
}

/** The meaning of a state, and the next step. */
const TODO_KARMADA: Partial<Record<ObservedLease['state'], string>> = {
  expired: '. No taints, evictions or writes to members until it renews its Lease: check its pod.',
  free: '. No taints, evictions or writes to members: check its pod.',
};
const TODO_OURS: Partial<Record<ObservedLease['state'], string>> = {
  held: '. Its command line and log name its controllers; disable the same controllers in Karmada.',
  expired: '. If these controllers are disabled in Karmada too, nothing replaces them: restart it.',
};

function leaseWords(seen: ObservedLease, now: number): Words {
  switch (seen.state) {
    case 'held': {
      const { holder, since, renewed } = seen;
      const times = `${lasting(since, now)}, renewed ${relativeTime(renewed, now)}`;
      return [asGood('active'), ` ${times}: ${holder}`];
    }
    case 'expired':
      return asBad(`last renewal ${relativeTime(seen.renewed, now)}: ${seen.holder}`);
    case 'free':
      return asWarning('its Lease has no holder');
    case 'absent':
      return asFaint('no Lease: it does not run, or its Lease has another name');
    case 'unknown':
      return asWarning(`unknown: ${seen.why}`);
  }
}
