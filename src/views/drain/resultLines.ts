import type { DrainResult, DrainPhase } from '../../analysis/drain/decide/drainStep.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Presentation } from '../../presentation/model.ts';
import { faint, good, inLines, lineBlocks, warn } from '../../presentation/words.ts';
import { duration } from '../words/duration.ts';
import { listed } from '../words/amounts.ts';
import { countTexts, PHASES, phaseCounts } from './phases.ts';
import { workloadName } from '../words/names.ts';

const MOST_OPEN = 10;
/** Phases of workloads that are still there; those that need a person come first. */
const OPEN: readonly DrainPhase[] = [
  'stuck',
  'skipped',
  'leaving',
  'ready',
  'starting',
  'scheduling',
  'queued',
  'stays',
];

/**
 * How a drain ended: a sentence, then the workloads that are still there and why. `planned` are those that the plan
 * left in place: they are named, too, so that nobody switches off a drained cluster that still runs them.
 */
export function resultLines(
  { outcome, reason, gone, seconds, workloads }: DrainResult,
  clusters: string[],
  planned: readonly ObjectIdentity[] = [],
): Presentation {
  const names = listed(clusters);
  const time = duration(seconds * 1000);
  const left = gone === 1 ? '1 workload has left' : `${gone} workloads have left`;
  if (outcome === 'done') {
    const many = clusters.length > 1 ? 'are' : 'is';
    const what = `${gone === 0 ? 'nothing had to leave' : left}`;
    const found = workloads.filter(({ phase }) => phase === 'stays').map(({ workload }) => workload);
    const staying = [...new Set([...planned, ...found].map(workloadName))];
    if (staying.length === 0)
      return inLines([[good(`${names} ${many} drained: ${what}`), `, after ${time}`]]);
    const count = staying.length === 1 ? '1 workload' : `${staying.length} workloads`;
    const still = listed(staying, MOST_OPEN);
    return inLines([
      [good(`${names} ${many} drained`), ' but for ', warn(count), `: ${what}, after ${time}`],
      `Still there, because not to leave: ${still}`,
    ]);
  }
  const counts = phaseCounts(workloads);
  const rest = countTexts(
    counts,
    PHASES.filter((phase) => phase !== 'gone'),
  ).join(', ');
  const what = outcome === 'stopped' ? 'Stopped' : 'Not finished';
  const head = warn(`${what}${reason ? `: ${reason}` : ''}`);
  const open = workloads
    .filter(({ phase }) => phase !== 'gone')
    .sort((a, b) => OPEN.indexOf(a.phase) - OPEN.indexOf(b.phase));
  const rows = open
    .slice(0, MOST_OPEN)
    .map(({ phase, workload, waitingFor = '' }) => [phase, workloadName(workload), waitingFor]);
  const more = open.length - rows.length;
  return {
    blocks: [
      {
        type: 'section',
        blocks: [
          ...lineBlocks([head, `${left} after ${time}${rest === '' ? '' : `; ${rest}`}`]),
          {
            type: 'section',
            inset: true,
            blocks: [{ type: 'rows', rows }, ...(more > 0 ? lineBlocks([faint(`and ${more} more`)]) : [])],
          },
        ],
      },
    ],
  };
}
