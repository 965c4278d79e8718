import { explainEvictionTasks } from '../../src/analysis/explanation/tasks/evictionTask.ts';
import { simulatedTasks } from '../../src/analysis/explanation/tasks/simulatedTasks.ts';
import { explainWorkload } from '../../src/analysis/explanation/workloadExplanation.ts';
import { bindingIdentity } from '../../src/karmada/objects/identities.ts';
import type { ScenarioEvent } from '../../src/simulator/scenario.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { Answer } from '../../src/views/answer.ts';
import { evictionTaskList } from '../../src/views/eviction/evictionTaskList.ts';
import { explanationAnswer } from '../../src/views/explanation/explanation.ts';
import { simulationAnswer } from '../../src/views/simulation/simulation.ts';
import { breaches } from '../commands/schema.ts';
import { answerText } from '../views/shownText.ts';
import type { GeneratedWorld } from './worldOfSeed.ts';

/** How many bindings of each world are explained. */
const EXPLAINED = 3;

/** Whether answers about a world conform to docs/schema as JSON, and contain no garbage as text; if not, what breaks which rule. */
export function keepsToSchemas(generated: GeneratedWorld): string | undefined {
  for (const [schema, answer] of answers(generated)) {
    const document: unknown = JSON.parse(JSON.stringify(answer.document));
    const broken = breaches(schema, document);
    if (broken !== '') return `${schema}: ${broken}`;
    const text = answerText(answer, { wide: true });
    const garbage = /\b(NaN|undefined|Infinity)\b|\[object /.exec(text);
    if (garbage) return `${schema}: ${text.slice(Math.max(0, garbage.index - 80), garbage.index + 40)}`;
  }
  return undefined;
}

function* answers({ world, configuration, scenario }: GeneratedWorld): Generator<[string, Answer]> {
  const { start: now, members } = scenario;
  const common = { karmadaVersion: 'v1.18.2', assumptions: [] };
  const simulation = simulate(world, scenario, configuration);
  const title = 'what the seed says';
  yield ['simulation', simulationAnswer({ simulation, title, timeline: true, ...common })];

  const untouched = simulate(world, { ...scenario, events: [] }, configuration);
  const played = simulatedTasks(untouched);
  const items = explainEvictionTasks(world, world.bindings, { now, configuration, played });
  yield ['eviction-task-list', evictionTaskList({ items, now, detailed: true, ...common })];

  for (const binding of world.bindings.slice(0, EXPLAINED)) {
    const clusters = world.clusters.map(({ metadata }) => metadata.name);
    const failures = clusters.slice(0, 1).map((cluster) => ({ cluster, time: now }));
    const play = (before: ScenarioEvent[]) =>
      simulate(
        world,
        {
          start: now,
          members,
          events: [
            ...before,
            ...failures.map(({ cluster }): ScenarioEvent => ({ at: now, action: { type: 'fail', cluster } })),
          ],
        },
        configuration,
        { trace: bindingIdentity(binding) },
      );
    const explanation = explainWorkload(world, {
      binding,
      simulation: play([]),
      calm: untouched,
      failures,
      clusters,
      configuration,
      unverified: new Set(),
      now,
      workloadReadyAfter: members.workloadReadyAfter,
      replay: play,
    });
    yield ['explanation', explanationAnswer({ explanation, brokenLinks: [], now, ...common })];
  }
}
