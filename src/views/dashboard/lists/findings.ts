import type { Unchecked } from '../../../analysis/findings/state/diagnose.ts';
import type { StateFinding } from '../../../analysis/findings/state/stateCheck.ts';
import { severities } from '../../../analysis/findings/finding.ts';
import { evictionStep, type Remedy, themes } from '../../../analysis/findings/state/stateCheck.ts';
import { objectKey } from '../../../karmada/objects/identities.ts';
import type { Words } from '../../../presentation/model.ts';
import { asStrong, asWarning } from '../../../presentation/words.ts';
import { severityTone } from '../../doctor/stateFinding.ts';
import { evidenceWords } from '../../words/evidence.ts';
import type { List } from '../list.ts';

/** A dashboard's findings: plain data from another thread. */
export interface ShownFindings {
  totals: Words;
  /** the worst first */
  findings: readonly ShownFinding[];
  /** checks that could not run */
  unchecked: readonly Unchecked[];
}

/** A finding with a unique key. */
type ShownFinding = StateFinding & { key: string };

/** The findings as a dashboard lists them: similar ones are numbered. */
export function shownFindings(findings: readonly StateFinding[]): ShownFinding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const name = [finding.check, ...finding.objects.map(objectKey)].join(' ');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { ...finding, key: count === 1 ? name : `${name} ${count}` };
  });
}

// their items come with the answer, not with the feed
const ofAnswer = { name: 'events', items: () => [] } as const;

/** The problems of the control plane, the worst first. */
export const findingList: List<ShownFinding> = {
  ...ofAnswer,
  one: 'finding',
  none: 'No check has found anything.',
  key: ({ key }) => key,
  text: ({ severity, message, check }) => `${severity} ${message} ${check}`,
  columns: [
    {
      name: 'SEVERITY',
      words: ({ severity }) => severityTone(severity),
      order: ({ severity }) => -severities.indexOf(severity),
    },
    { name: 'FINDING', words: ({ message }) => message, order: ({ message }) => message, least: 40 },
    { name: 'CHECK', words: ({ check }) => check, order: ({ check }) => check, leaves: 1 },
  ],
  about: ({ severity, message, check, theme, evidence, objects: [object], remedy }) => ({
    title: [severityTone(severity), '  ', asStrong(check)],
    facts: [
      ['finding', message],
      // a remedy is shown once it has been simulated
      ['to do', toDo(remedy)],
      ['evidence', evidence[0] ? evidenceWords(evidence[0], object) : ''],
      ['about', themes[theme]],
    ],
    next: [['Enter', 'all evidence, and the remedy as a command']],
  }),
  opens: ({ key }) => ({ view: 'finding', id: key }),
  object: ({ objects: [object] }) => object && { view: 'object', object },
};

function toDo(remedy: Remedy | undefined): string {
  if (!remedy) return '';
  return remedy.patches || evictionStep(remedy) ? 'Enter simulates the remedy and shows it' : remedy.text;
}

/** Checks that could not run, by the missing input: they never count as passed. */
export const uncheckedList: List<Unchecked> = {
  ...ofAnswer,
  one: 'reason',
  none: 'Every check was made.',
  key: ({ why }) => why,
  text: ({ why, checks }) => `${why} ${checks.join(' ')}`,
  columns: [
    {
      name: 'CHECKS',
      words: ({ checks }) => String(checks.length),
      order: ({ checks }) => -checks.length,
      right: true,
    },
    { name: 'MISSING', words: ({ why }) => why, order: ({ why }) => why, least: 30 },
  ],
  about: ({ why, checks }) => ({
    title: asWarning(`${checks.length} not checked`),
    facts: [
      ['missing', why],
      ['checks', checks.join(', ')],
    ],
    next: [],
  }),
  opens: () => undefined,
};
