import type { Cluster } from '../../karmada/api/cluster.ts';
import { presentable } from '../../presentation/presentable.ts';
import type { Simulation } from '../../simulator/simulation/simulation.ts';
import type { WorkloadOutcome } from '../../simulator/verdicts/outcome.ts';
import type { Answer } from '../answer.ts';
import { podCapacity } from '../report/podCapacity.ts';
import { type SimulationInput, spansOf } from '../simulation/simulation.ts';
import { plural } from '../words/amounts.ts';
import { mermaidOf } from './mermaid.ts';
import { traceForm } from './perfetto/traceForm.ts';

/** A simulation with spans for other tools, by their names in -o. */
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
      capacity: podCapacity(clusters, simulation.clusters),
    })),
  };
}

/**
 * The moves of workloads as a Graphviz graph: clusters with their content before and after, and the moves between them.
 */
export function dotOf(title: string, { clusters, workloads }: Simulation): string {
  const lines = [
    'digraph failover {',
    `  label=${quoted(title)}; labelloc=t; rankdir=LR; fontname="sans-serif";`,
    '  node [shape=box, style=rounded, fontname="sans-serif"]; edge [fontname="sans-serif"];',
    ...clusters.map(({ name, before, after }) => {
      const replicas = `${before.replicas} → ${plural(after.replicas, 'replica')}`;
      const text = [name, replicas, ...after.taints].map(inLabel).join('\\n');
      const look = after.ready === 'True' ? '' : ', style="rounded,dashed", color=red';
      return `  ${quoted(name)} [label="${text}"${look}];`;
    }),
    ...[...movesOf(workloads).values()].map(({ from, to, workloads: count, replicas }) => {
      const text = [plural(count, 'workload'), plural(replicas, 'replica')].map(inLabel).join('\\n');
      const look = to === NOWHERE ? ', color=red, style=dashed' : '';
      return `  ${quoted(from)} -> ${quoted(to)} [label="${text}"${look}];`;
    }),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** The name for no cluster. */
const NOWHERE = 'nowhere (lost)';

interface Move {
  from: string;
  to: string;
  workloads: number;
  replicas: number;
}

/** Where replicas leave and where they arrive; if they arrive on several clusters, each counts its own. */
function movesOf(workloads: readonly WorkloadOutcome[]): Map<string, Move> {
  const moves = new Map<string, Move>();
  const add = (from: string, to: string, replicas: number) => {
    const key = JSON.stringify([from, to]);
    const known = moves.get(key) ?? { from, to, workloads: 0, replicas: 0 };
    moves.set(key, { ...known, workloads: known.workloads + 1, replicas: known.replicas + replicas });
  };
  for (const { before, leaving = [], after } of workloads) {
    const had = new Map([...leaving, ...before].map(({ name, replicas = 0 }) => [name, replicas]));
    const has = new Map(after.map(({ name, replicas = 0 }) => [name, replicas]));
    const left = [...had].filter(
      ([name, replicas]) => (has.get(name) ?? (replicas === 0 ? -1 : 0)) < replicas,
    );
    const joined = [...has].filter(([name, replicas]) => !had.has(name) || had.get(name)! < replicas);
    for (const [from, replicas] of left) {
      if (after.length === 0) add(from, NOWHERE, replicas);
      for (const [to, now] of joined) add(from, to, Math.min(replicas, now - (had.get(to) ?? 0)));
    }
  }
  return moves;
}

function quoted(text: string): string {
  return `"${inLabel(text)}"`;
}

/** Text inside the quotes of a label. */
function inLabel(text: string): string {
  return presentable(text).replace(/[\\"]/g, '\\$&');
}
