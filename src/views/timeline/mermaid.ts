import type { Phase } from '../../simulator/timeline/span.ts';
import { presentable } from '../../presentation/presentable.ts';
import { objectText } from '../words/names.ts';
import { PHASES } from './phases.ts';
import { byWorkload, isEventful, worstFirst, type SpansShown } from './spansShown.ts';

/** Mermaid's tags for the style of a bar; without one it is plain. */
const TAGS: Partial<Record<Phase, string>> = {
  ready: 'done',
  starting: 'active',
  gap: 'crit',
  scheduling: 'crit',
  unreachable: 'crit',
  unhealthy: 'crit',
};

/** The workloads to which something happens as a Mermaid Gantt diagram, worst first. */
export function mermaidOf({ title, start, end, spans }: SpansShown): string {
  const lines = [
    'gantt',
    ...(safe(title) === '' ? [] : [`  title ${safe(title)}`]),
    '  dateFormat x',
    '  axisFormat %H:%M:%S',
    ...worstFirst(byWorkload(spans).filter(isEventful), end).flatMap(({ workload, spans: own }) => [
      `  section ${safe(objectText(workload)) || '?'}`,
      ...own.map(({ cluster, phase, from, to = end }) => {
        // our words come first: a cluster may be called "section", or "title"
        const name = cluster === undefined ? PHASES[phase].text : `${PHASES[phase].text} on ${cluster}`;
        const tag = TAGS[phase];
        // Mermaid does not draw a bar without duration
        const until = Math.max(to, from + 1);
        return `  ${safe(name)} :${tag ? `${tag}, ` : ''}${Math.max(from, start)}, ${until}`;
      }),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Text that cannot end a line or a name in a diagram, nor start a directive or an entity. */
function safe(text: string): string {
  return presentable(text)
    .replace(/[:;#,%{}<>"`\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
