import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Answer } from '../answer.ts';
import { roomForPods } from '../report/roomForPods.ts';
import { spansOf, type SimulationInput } from '../simulation/simulation.ts';
import { dotOf } from './dot.ts';
import { mermaidOf } from './mermaid.ts';
import { traceForm } from './perfetto/traceForm.ts';

/** A simulation that has spans for other tools, by the names that -o gives them. */
export function exportsOf(
  input: SimulationInput,
  clusters: readonly Cluster[],
): Pick<Answer, 'forms' | 'binaryForms'> {
  const shown = spansOf(input);
  const { simulation } = input;
  return {
    forms: {
      mermaid: () => mermaidOf(shown),
      dot: () => dotOf(shown.title, simulation),
    },
    binaryForms: traceForm(() => ({
      ...shown,
      events: simulation.events,
      room: roomForPods(clusters, simulation.clusters),
    })),
  };
}
