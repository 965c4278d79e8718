import type { Span } from '../../simulator/timeline/span.ts';
import { objectKey } from '../../karmada/objects/identities.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asFaint, joined, asWarning } from '../../presentation/words.ts';
import { PHASES } from '../timeline/phases.ts';
import { byWorkload, isEventful, worstFirst, type WorkloadSpans } from '../timeline/spansShown.ts';
import { evidenceWords } from '../words/evidence.ts';
import { placementText, shortWorkloadName } from '../words/names.ts';
import { offsetText } from '../words/timelineEvent.ts';
import type { OutcomeWithReason, PackedInput, ReportedOutcome } from './packedReport.ts';

/** The most rows: more would be too long for paper, or without JavaScript. */
const MAX = 200;

/** The workloads of a report as a table: for paper, and for browsers without scripts. */
export function reasonBlocks(input: PackedInput): Block[] {
  const { shown, outcomes, fates } = input;
  const workloads = worstFirst(byWorkload(shown.spans), shown.end);
  const rows = fates.length > 0 ? outcomeRows(outcomes, fates, workloads) : spanRows(workloads, input);
  if (rows.length === 0) return [{ type: 'paragraph', words: 'Nothing happens to a workload.' }];
  const left = rows.length - MAX;
  return [
    {
      type: 'table',
      columns: (fates.length > 0 ? OUTCOME_COLUMNS : SPAN_COLUMNS).map((name) => ({ name })),
      rows: rows.slice(0, MAX),
    },
    ...(left > 0
      ? [
          {
            type: 'paragraph' as const,
            words: asFaint(`… ${left} more, in the JSON of this page and of -o json`),
          },
        ]
      : []),
  ];
}

const OUTCOME_COLUMNS = ['OUTCOME', 'WORKLOAD', 'NOW', 'THEN', 'REPLICAS DOWN', 'WHY'];

/** Each workload to which something happens, the worst first. */
function outcomeRows(
  outcomes: readonly ReportedOutcome[],
  fates: readonly OutcomeWithReason[],
  workloads: readonly WorkloadSpans[],
): Words[][] {
  const order = new Map(fates.map(({ name }, at) => [name, at]));
  const spansOf = new Map(workloads.map((one) => [objectKey(one.workload), one]));
  return outcomes
    .filter((one) => {
      const spans = spansOf.get(objectKey(one));
      return (spans && isEventful(spans)) || one.reason !== undefined;
    })
    .toSorted((a, b) => (order.get(a.fate) ?? 0) - (order.get(b.fate) ?? 0))
    .map((one) => {
      const fate = fates[order.get(one.fate) ?? -1];
      const { certainty, dependsOn = [] } = one;
      return [
        [toned(fate), certainty === 'certain' ? '' : ` (${certainty})`],
        shortWorkloadName(one),
        placementText(one.before),
        one.after.length === 0 ? 'nowhere' : placementText(one.after),
        one.fewer,
        joined(
          [
            one.reason ?? firstReason(spansOf.get(objectKey(one))),
            dependsOn.length === 0 ? '' : asFaint(`depends on ${dependsOn.join('; ')}`),
          ],
          '; ',
        ),
      ];
    });
}

function toned(fate: OutcomeWithReason | undefined): Words {
  if (!fate) return '';
  return fate.tone === 'bad' ? asBad(fate.text) : fate.tone === 'warn' ? asWarning(fate.text) : fate.text;
}

/** The evidence for a workload's first change. */
function firstReason(workload: WorkloadSpans | undefined): Words {
  const span = workload?.spans.find(({ phase, evidence }) => phase !== 'ready' && evidence.length > 0);
  const evidence = span?.evidence.at(-1);
  return workload && evidence ? evidenceWords(evidence, workload.workload) : '';
}

const SPAN_COLUMNS = ['WORKLOAD', 'CLUSTER', 'STATE', 'FROM', 'TO', 'READY', 'WHY'];

/** Each span of a workload to which something happened. */
function spanRows(workloads: readonly WorkloadSpans[], { shown, byClock = false }: PackedInput): Words[][] {
  const { start, end } = shown;
  const isInstant = start === end;
  const timeText = (time: number) => (byClock ? rfc3339(time) : offsetText(time, start));
  return workloads
    .filter((one) => isEventful(one) || (isInstant && one.spans.some(({ phase }) => phase !== 'ready')))
    .flatMap(({ workload, spans }) =>
      spans.map(({ cluster = '', phase, from, to, replicas = 0, ready, evidence }: Span): Words[] => [
        shortWorkloadName(workload),
        cluster,
        phaseWords(phase),
        isInstant ? '' : timeText(from),
        isInstant || to === undefined ? '' : timeText(to),
        phase === 'gap'
          ? `${replicas} missing`
          : ready === undefined || replicas === 0
            ? ''
            : `${ready} of ${replicas}`,
        joined(
          evidence.slice(0, 2).map((one) => evidenceWords(one, workload)),
          '; ',
        ),
      ]),
    );
}

function phaseWords(phase: Span['phase']): Words {
  const { text, tone } = PHASES[phase];
  return tone === undefined ? text : { tone, words: text };
}
