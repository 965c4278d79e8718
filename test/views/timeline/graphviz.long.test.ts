import { expect, test } from '@jest/globals';
import { instance } from '@viz-js/viz';
import fc from 'fast-check';
import { presentable } from '../../../src/presentation/presentable.ts';
import type { Simulation } from '../../../src/simulator/simulation/simulation.ts';
import { dotOf } from '../../../src/views/timeline/exports.ts';

test('Graphviz reads the graph of moves for any cluster names', async () => {
  const viz = await instance();
  const names = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('a"b', '\\', '\\"', '\\N', '</b>', '<b>x</b>', 'x\n}', 'a -> b', 'node', '\u202egnp'),
  );
  fc.assert(
    fc.property(names, (name) => {
      const load = { workloads: 1, replicas: 2, taints: [name], ready: 'True' };
      const simulation = {
        clusters: [{ name, before: load, after: load }],
        workloads: [{ before: [{ name, replicas: 2 }], after: [] }],
      } as unknown as Simulation;
      const drawn = viz.renderJSON(dotOf(name, simulation)) as {
        objects: { name: string; label: string }[];
        edges: unknown[];
      };
      expect(drawn.objects.map((one) => one.name)).toEqual([expect.anything(), 'nowhere (lost)']);
      // a backslash of a label is written twice
      const shownName = presentable(name).replaceAll('\\', '\\\\');
      expect(drawn.objects[0]!.label.startsWith(`${shownName}\\n`)).toBe(true);
      expect(drawn.edges).toHaveLength(1);
    }),
    { numRuns: 200 },
  );
});
