import { type Breach, judgedKey } from '../../analysis/audit/gate.ts';
import type { Block } from '../../presentation/model.ts';
import { asBad, asGood } from '../../presentation/words.ts';
import { shortWorkloadName } from '../words/names.ts';
import { resourceText, troubleText } from './auditWords.ts';
import type { AuditInput } from './auditInput.ts';

/** Whether the gate passes, and the first breaches. */
export function gateBlocks({ gate, audit }: AuditInput): Block[] {
  if (!gate) return [];
  const { breaches, progress } = gate;
  const names = new Map(
    audit.workloads.map((one) => [judgedKey(one.workload), shortWorkloadName(one.workload)]),
  );
  const first = breaches.slice(0, 3).map((breach) => breachText(breach, names));
  const more = breaches.length > 3 ? ` and ${breaches.length - 3} more` : '';
  const since =
    progress === undefined
      ? ''
      : ` Since the baseline: ${progress.better.length} better, ${progress.worse.length} worse, ${progress.added.length} added.`;
  return [
    {
      type: 'paragraph',
      words: [
        breaches.length === 0
          ? asGood('The gate passes.')
          : asBad(`The gate fails${progress ? ' on new risks' : ''}: ${first.join(', ')}${more}.`),
        since,
      ],
    },
  ];
}

/** "shop/deploy/cart lost", "dublin has 8% of cpu left" */
export function breachText(breach: Breach, names: ReadonlyMap<string, string>): string {
  if (breach.condition === 'headroom')
    return `${breach.cluster} keeps ${Math.floor(breach.share * 100)}% of its ${resourceText(breach.resource)}`;
  const name = names.get(breach.workload) ?? breach.workload;
  return breach.condition === 'rto'
    ? `${name} misses its target`
    : `${name} ${troubleText(breach.condition)}`;
}
