import { writeFileSync } from 'node:fs';
import type { Span } from '../../src/engine/timeline/span.ts';
import { reportPage } from '../../src/views/report/reportPage.ts';

const HOSTILE = '</script><img src=x onerror="window.pwned=1"><!--';

/** Writes a report of a control plane in which everything is called like an attack. */
export function hostilePage(file: string): string {
  const workload = { kind: HOSTILE, namespace: HOSTILE, name: HOSTILE };
  const evidence = [{ rule: HOSTILE, field: HOSTILE, value: HOSTILE }];
  const spans: Span[] = [
    {
      workload,
      cluster: HOSTILE,
      phase: 'ready',
      from: 0,
      to: 5000,
      replicas: 1,
      ready: 1,
      certainty: 'certain',
      evidence,
    },
    { workload, phase: 'gap', from: 5000, replicas: 1, certainty: 'certain', evidence },
  ];
  const words = HOSTILE;
  const page = reportPage({
    kind: HOSTILE,
    verdict: words,
    basis: words,
    shown: { title: HOSTILE, start: 0, end: 10_000, spans },
    outcomes: [],
    placed: new Map([[HOSTILE, { before: 1, after: 0 }]]),
    room: new Map(),
    placement: [{ type: 'paragraph', words }],
    assumptions: [{ type: 'paragraph', words }],
    document: { kind: HOSTILE },
    file: 'simulation.json',
  });
  writeFileSync(file, [...page].join(''));
  return file;
}
