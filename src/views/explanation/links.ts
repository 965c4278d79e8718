import type { LinkState } from '../../analysis/explanation/links/link.ts';
import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { bad, faint, good, strong, warn } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { evidenceWords } from '../words/evidence.ts';

/** The links of the chain; if a failure is simulated, only the unexpected ones. */
export function linksBlocks({ links, failures, binding }: WorkloadExplanation, { wide }: Shown): Block[] {
  const all = wide || failures.length === 0;
  const shown = all ? links : links.filter(({ state }) => state !== 'holds');
  if (shown.length === 0) return [];
  const title = all ? 'What has to hold for it to leave a cluster that fails:' : 'Worth knowing:';
  const nodes = shown.map((link) => ({
    mark: mark(link.state),
    words: link.text,
    children: [
      ...(link.fix ? [{ words: faint(`→ ${link.fix}`) }] : []),
      ...(wide ? link.evidence.map((one) => ({ words: evidenceWords(one, binding) })) : []),
    ],
  }));
  return [{ type: 'section', title: strong(title), blocks: [{ type: 'tree', nodes }] }];
}

function mark(state: LinkState): Words {
  const marks: Record<LinkState, Words> = {
    holds: good('✓'),
    limits: warn('!'),
    broken: bad('✗'),
    unknown: warn('?'),
  };
  return marks[state];
}
