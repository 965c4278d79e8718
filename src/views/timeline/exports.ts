import type { Answer } from '../answer.ts';
import { spansOf, type SimulationInput } from '../simulation/simulation.ts';
import { dotOf } from './dot.ts';
import { mermaidOf } from './mermaid.ts';
import { perfettoOf } from './perfetto.ts';

/** A simulation that has spans for other tools, by the names that -o gives them. */
export function exportsOf(input: SimulationInput): NonNullable<Answer['forms']> {
  const shown = spansOf(input);
  return {
    mermaid: () => mermaidOf(shown),
    dot: () => dotOf(shown.title, input.simulation),
    perfetto: () => perfettoOf(shown),
  };
}
