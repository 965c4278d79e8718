import { describe, expect, test } from '@jest/globals';
import type { Simulation } from '../../../src/simulator/simulation/simulation.ts';
import { dotOf } from '../../../src/views/timeline/exports.ts';
import { mermaidOf } from '../../../src/views/timeline/mermaid.ts';
import { readyByCluster } from '../../../src/views/timeline/spansShown.ts';
import { cart, cartSpan } from '../../fixtures/cartSpan.ts';

const START = 1_000_000;
const span = cartSpan(START);
const spans = [
  span({ phase: 'gap', to: START + 3000, replicas: 2 }),
  span({ cluster: 'east-1', to: START + 1000, replicas: 2, ready: 2 }),
  span({ cluster: 'east-1', phase: 'evicting', from: START + 1000, to: START + 3000, replicas: 2, ready: 0 }),
  span({ cluster: 'east-2', from: START + 2000, replicas: 2, ready: 2 }),
];
const shown = { title: 'east-1 fails', start: START, end: START + 10_000, spans };

describe('a timeline export', () => {
  test('is a Mermaid Gantt chart in which names cannot break a line', () => {
    const hostile = span({ cluster: 'a:b;\nsection %%{x}', to: START + 1, evidence: [] });
    expect(mermaidOf({ ...shown, spans: [...spans, hostile] }).split('\n')).toEqual([
      'gantt',
      '  title east-1 fails',
      '  dateFormat x',
      '  axisFormat %H:%M:%S',
      '  section Deployment shop/cart',
      '  replicas down :crit, 1000000, 1003000',
      '  ready on east-1 :done, 1000000, 1001000',
      '  evicting on east-1 :1001000, 1003000',
      '  ready on east-2 :done, 1002000, 1010000',
      '  ready on a b nsection x :done, 1000000, 1000001',
      '',
    ]);
  });

  test('is a Mermaid Gantt chart in which names cannot be keywords', () => {
    const keywords = ['section', 'title x', 'gantt', 'click x', 'topAxis', 'dateFormat', 'excludes'];
    const bars = keywords.map((cluster) => span({ cluster, to: START + 1 }));
    const lines = mermaidOf({ ...shown, title: '', spans: bars })
      .trimEnd()
      .split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'gantt',
      '  dateFormat x',
      '  axisFormat %H:%M:%S',
      '  section Deployment shop/cart',
    ]);
    for (const line of lines.slice(4)) expect(line).toMatch(/^ {2}ready on .+ :done, 1000000, 1000001$/);
  });

  test('is a Graphviz graph of moves in which names cannot break a label', () => {
    const load = { workloads: 1, replicas: 2, taints: [], ready: 'True' };
    const simulation = {
      clusters: [{ name: 'east"-1', before: load, after: { ...load, replicas: 0, ready: 'False' } }],
      workloads: [
        { before: [{ name: 'east"-1', replicas: 2 }], after: [{ name: 'b', replicas: 2 }] },
        { before: [{ name: 'east"-1', replicas: 3 }], after: [] },
      ],
    } as unknown as Simulation;
    const dot = dotOf('x', simulation);
    expect(dot).toContain(
      '"east\\"-1" [label="east\\"-1\\n2 → 0 replicas", style="rounded,dashed", color=red];',
    );
    expect(dot).toContain('"east\\"-1" -> "b" [label="1 workload\\n2 replicas"];');
    expect(dot).toContain(
      '"east\\"-1" -> "nowhere (lost)" [label="1 workload\\n3 replicas", color=red, style=dashed];',
    );
  });
});

test('the ready replicas of a cluster are summed over time', () => {
  const other = span({
    workload: { ...cart, name: 'b' },
    cluster: 'east-1',
    from: START + 500,
    replicas: 1,
    ready: 1,
  });
  expect(readyByCluster([...spans, other], START)[0]).toEqual({
    cluster: 'east-1',
    steps: [
      { time: START, ready: 2 },
      { time: START + 500, ready: 3 },
      { time: START + 1000, ready: 1 },
    ],
  });
});
