import type { AuditedCluster } from '../../analysis/audit/auditedCluster.ts';
import type { Headroom } from '../../analysis/forecast/headroom.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, joined, asWarning } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { freeShare } from '../words/freeShare.ts';
import { headroomWords, resourcesShown, resourceText, contingencyTitle } from './auditWords.ts';
import type { AuditInput } from './auditInput.ts';

/** Clusters with the least headroom first; on a small screen one line names a few. */
export function headroomBlocks({ audit, taint }: AuditInput, { wide }: Shown): Block[] {
  const shown = leastFirst(audit.clusters.filter(({ headroom }) => wide || headroom.length > 0));
  if (shown.length === 0) return [];
  const resources = resourcesShown(shown);
  const worst = `WORST ${contingencyTitle(taint).toUpperCase()}`;
  const table: Block = {
    type: 'table',
    columns: [
      { name: 'HEADROOM ON' },
      ...resources.map((resource) => ({ name: resource.toUpperCase() })),
      { name: worst },
    ],
    rows: shown.map(({ name, down, headroom }) => [
      down ? asBad(`${name}, down`) : name,
      ...resources.map((resource) => headroomWords(headroom, resource)),
      [...new Set(headroom.flatMap(({ worst }) => worst?.contingency ?? []))].join(', '),
    ]),
    narrowing: [{ cut: worst, to: 12 }, { drop: [worst] }],
  };
  return [{ type: 'section', detail: 'all headroom', brief: [headroomLine(shown)], blocks: [table] }];
}

/** "Least headroom: frankfurt 34% cpu, dublin 75% cpu, 3 more", after the worst contingency */
function headroomLine(clusters: readonly AuditedCluster[]): Block {
  const words = (count: number): Words => {
    const named = clusters.slice(0, count).map((cluster) => [cluster.name, ' ', scarcestWords(cluster)]);
    const more = clusters.length > count ? `, ${clusters.length - count} more` : '';
    return ['Least headroom: ', joined(named, ', '), more];
  };
  return { type: 'oneLine', wordings: [4, 3, 2, 1].map(words) };
}

function scarcestWords({ headroom }: AuditedCluster): Words {
  const [scarcest] = headroom.toSorted((a, b) => shareAfter(a) - shareAfter(b));
  if (!scarcest) return 'not reported';
  const share = shareAfter(scarcest);
  const tone = share <= 0 ? asBad : share < 0.1 ? asWarning : (text: Words) => text;
  const resource = resourceText(scarcest.resource);
  return share < 0
    ? [`${resource} `, tone(freeShare(share, 1))]
    : [tone(freeShare(share, 1)), ` ${resource}`];
}

/** The share that is left after the worst contingency. */
function shareAfter({ allocatable, free, worst }: Headroom): number {
  return allocatable > 0 ? (worst?.free ?? free) / allocatable : 0;
}

/** Clusters with the least share left after the worst contingency first. */
export function leastFirst(clusters: readonly AuditedCluster[]): AuditedCluster[] {
  const least = ({ headroom }: AuditedCluster) => Math.min(...headroom.map(shareAfter));
  return clusters.toSorted((a, b) => {
    const [x, y] = [least(a), least(b)];
    return x === y ? 0 : x - y;
  });
}
