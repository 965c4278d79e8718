import { describe, expect, test } from '@jest/globals';
import type { StateFinding } from '../../../src/analysis/findings/state/stateCheck.ts';
import { createRemedyTrials } from '../../../src/analysis/findings/state/provenRemedies.ts';
import { renderText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import type { Limit } from '../../../src/presentation/text/shortened.ts';
import { simulate } from '../../../src/simulator/simulation/simulate.ts';
import { usualMembers } from '../../../src/simulator/store/savedSimulation.ts';
import { diagnosisOf } from '../../../src/useCases/doctor/diagnoseControlPlane.ts';
import { openStateToRead } from '../../../src/useCases/state/openState.ts';
import { diagnosisAnswer } from '../../../src/views/doctor/diagnosisAnswer.ts';
import { quietPorts } from '../../useCases/quietPorts.ts';
import { plainly } from '../shownText.ts';

// A simulation takes as long as all checks together: only remedies that are shown are simulated.

const SCREEN: Limit = { height: 23, all: '--limit=0' };

/**
 * The diagnosis of the example, with the findings whose remedies were tried, and the events of all simulations.
 *
 * @param copies how often each binding counts for the limit
 */
async function examined(isShown: (finding: StateFinding) => boolean = () => true, copies = 1) {
  const read = await openStateToRead({ source: { files: ['examples/shop'] } }, quietPorts());
  const { world, now, configuration } = read;
  const asked = { selection: {}, riskWords: ({ code }: { code: string }) => code };
  const diagnosis = diagnosisOf(read, () => true, asked, quietPorts());
  const findings = diagnosis.findings.filter(isShown);
  const [tried, played]: [Set<StateFinding>, string[]] = [new Set(), []];
  const cure = createRemedyTrials({
    world: { ...world, bindings: Array.from({ length: copies }, () => world.bindings).flat() },
    configuration,
    now,
    asked: [],
    play: (events) => {
      played.push(JSON.stringify(events));
      const question = { start: now, members: usualMembers(world), events: [...events] };
      return simulate(world, question, configuration);
    },
  });
  const answer = diagnosisAnswer({
    ...diagnosis,
    findings,
    cured: (finding) => {
      tried.add(finding);
      return cure(finding);
    },
    commandOf: (step) => (step.action === 'diagnose' ? `doctor --only=${step.check}` : undefined),
  });
  const text = (limit?: Limit) =>
    renderText(answer.presentation(plainly), { style: plainStyle, width: 80, limit });
  return { answer, findings, tried, played, text };
}

/** How many remedies, tried or not, a text shows. */
const remediesIn = (text: string) => (text.match(/^ *(?:to do|tried|remedy not simulated):/gm) ?? []).length;

describe('doctor simulates the remedies of findings', () => {
  test('only if the screen shows them: on a terminal, for the first finding', async () => {
    const { findings, tried, text } = await examined();
    expect(remediesIn(text(SCREEN))).toBe(1);
    expect([...tried]).toEqual([findings[0]]);
    // a line each would fit
    expect(findings.length).toBeLessThan(SCREEN.height!);
  });

  test('for all findings if the screen has space for all', async () => {
    const { findings, tried, text } = await examined();
    text({ height: 100, all: '--limit=0' });
    expect(tried.size).toBe(findings.length);
  });

  test('for as many findings as --limit allows', async () => {
    const { tried, text } = await examined();
    const shown = text({ rows: 3, all: '--limit=0' });
    expect(remediesIn(shown)).toBe(tried.size);
    expect(tried.size).toBe(4);
  });

  test('each only once if all findings are shown', async () => {
    const { answer, findings, tried, played, text } = await examined();
    text();
    expect(answer.document['findings']).toHaveLength(findings.length);
    expect(tried.size).toBe(findings.length);
    expect(new Set(played).size).toBe(played.length);
  });

  test('but not for -o name, or for a JSONPath without remedies', async () => {
    const { answer, findings, tried } = await examined();
    answer.names();
    expect(answer.documentFor!('{.findings[*].severity}')['findings']).toHaveLength(findings.length);
    expect(tried.size).toBe(0);
    expect(answer.documentFor!('{.findings[0].remedy.text}')['findings']).toHaveLength(findings.length);
    expect(tried.size).toBe(findings.length);
  });

  test('but not beyond the limit of bindings, where it prints the command that simulates them', async () => {
    const { answer, played, text } = await examined(({ check }) => check === 'tolerates-forever', 5000);
    expect(text()).toMatch(/^ *remedy not simulated: .*\n *doctor --only=tolerates-forever$/m);
    expect(text()).not.toMatch(/to do:|tried:|kubectl patch/);
    const [finding] = answer.document['findings'] as object[];
    expect(finding).toMatchObject({ unsimulated: true });
    expect(finding).not.toHaveProperty('remedy');
    expect(played).toEqual([]);
  });
});
