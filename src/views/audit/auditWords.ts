import type { AuditedCluster } from '../../analysis/audit/auditedCluster.ts';
import type { AuditedWorkload, Downtime } from '../../analysis/audit/auditedWorkload.ts';
import type { ContingencyTaint } from '../../analysis/audit/contingencies.ts';
import type { Cause } from '../../analysis/audit/causes.ts';
import type { Benefit } from '../../analysis/audit/cures.ts';
import {
  type Headroom,
  HEADROOM_RESOURCES,
  type HeadroomResource,
} from '../../analysis/forecast/headroom.ts';
import { TROUBLES, type Trouble } from '../../analysis/audit/trouble.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, joined, asWarning } from '../../presentation/words.ts';
import { freeShare } from '../words/freeShare.ts';
import { duration } from '../words/duration.ts';

const TROUBLE: Record<Trouble, string> = {
  lost: 'lost',
  down: 'down',
  blocked: 'blocked',
  flaps: 'flaps',
  'without-state': 'without state',
  'partly-moves': 'partial',
};

/** "lost", in the matching tone. */
export function troubleWords(trouble: Trouble): Words {
  const tone = trouble === 'partly-moves' || trouble === 'without-state' ? asWarning : asBad;
  return tone(TROUBLE[trouble]);
}

export function troubleText(trouble: Trouble): string {
  return TROUBLE[trouble];
}

/** "2 lost, 1 blocked", worst first. */
export function troubleCounts(counts: Partial<Record<Trouble, number>>): Words {
  return joined(
    TROUBLES.flatMap((trouble) => {
      const count = counts[trouble] ?? 0;
      if (count === 0) return [];
      const tone = trouble === 'partly-moves' || trouble === 'without-state' ? asWarning : asBad;
      return [tone(`${count} ${TROUBLE[trouble]}`)];
    }),
    ', ',
  );
}

/** The cause of a trouble, in a few words. */
export function causeText({ code, detail }: Cause): string {
  switch (code) {
    case 'no-other-cluster':
      return 'no other cluster';
    case 'others-rejected':
      return detail === undefined ? 'other clusters rejected' : `others rejected: ${detail}`;
    case 'spread-constraint':
      return detail ?? 'spread constraints';
    case 'no-room':
      return 'no free capacity';
    case 'not-replaced':
      return 'not replaced';
    case 'tolerates':
      return detail === undefined ? 'tolerates the taint' : `tolerates ${detail.split('/').at(-1)}`;
    case 'not-evicted':
      return 'nothing evicts it';
    case 'flaps':
      return detail === undefined ? 'evicted again and again' : `evicted again and again: ${detail}`;
    case 'stateful':
      return 'volumes stay behind';
    case 'other':
      return detail ?? 'see failover explain';
  }
}

/** The title of a list of contingencies. */
export const contingencyTitle = (taint: ContingencyTaint | undefined) =>
  taint ? 'if tainted' : 'if this fails';

/** The advantage of a change, if several help. */
export function benefitText(merit: Benefit): string {
  return merit === 'least-room' ? 'least capacity' : merit.replace('-', ' ');
}

/** "11m7s", "11m7s to 13m7s", "permanent"; "not over" if more may happen after the end of the simulation. */
export function downtimeText(downtime: Downtime | undefined): string {
  if (!downtime) return '';
  const { seconds, atMost, permanent } = downtime;
  if (seconds === null) return permanent ? 'permanent' : 'not over';
  const text = duration(Math.max(1000, seconds * 1000));
  return atMost === undefined ? text : `${text} to ${duration(atMost * 1000)}`;
}

/** "dublin 12, oregon": the second homes, with the replicas that still fit there. */
export function homesText(homes: AuditedWorkload['secondHomes'], most = Infinity): string {
  const named = homes
    .slice(0, most)
    .map(({ cluster, room }) => (room === null ? cluster : `${cluster} (fits ${room})`));
  return homes.length > most ? `${named.join(', ')} and ${homes.length - most} more` : named.join(', ');
}

/** The resources for which some cluster has headroom. */
export function resourcesShown(clusters: readonly AuditedCluster[]): HeadroomResource[] {
  return HEADROOM_RESOURCES.filter(
    (resource) =>
      resource !== 'models' ||
      clusters.some(({ headroom }) => headroom.some((one) => one.resource === resource)),
  );
}

/** "cpu", "resource models": a resource inside a sentence. */
export function resourceText(resource: HeadroomResource): string {
  return resource === 'models' ? 'resource models' : resource;
}

/** "62% → 12%": free now, and after the worst contingency that moves workloads here. */
export function headroomWords(headroom: readonly Headroom[], resource: Headroom['resource']): Words {
  const one = headroom.find((each) => each.resource === resource);
  if (!one || one.allocatable <= 0) return '';
  const today = freeShare(one.free, one.allocatable);
  if (!one.worst) return today;
  const worst = one.worst.free / one.allocatable;
  const tone = worst < 0.01 ? asBad : worst < 0.1 ? asWarning : (words: Words) => words;
  return [`${today} → `, tone(freeShare(one.worst.free, one.allocatable))];
}
