import { writeFileSync } from 'node:fs';
import type { Span } from '../../src/simulator/timeline/span.ts';
import { reportPage } from '../../src/views/report/reportPage.ts';

const HOSTILE = '</script><img src=x onerror="window.pwned=1"><!--';

const NAMES = [HOSTILE, 'long-'.repeat(50), 'שלום-مرحبا', '👩‍🚀🚢', 'e\u0301\u202Egnp.exe'];

/** Writes a report of a control plane in which every name is an attack, or long, right-to-left, or an image. */
export function hostilePage(file: string): string {
  const evidence = [{ rule: HOSTILE, field: HOSTILE, value: HOSTILE }];
  const spans = NAMES.flatMap((name): Span[] => {
    const workload = { kind: HOSTILE, namespace: HOSTILE, name };
    return [
      {
        workload,
        cluster: name,
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
  });
  const words = HOSTILE;
  const page = reportPage({
    kind: HOSTILE,
    verdict: words,
    basis: words,
    shown: { title: HOSTILE, start: 0, end: 10_000, spans },
    outcomes: [],
    fates: [],
    summary: [{ type: 'paragraph', words }],
    placed: new Map([[HOSTILE, { before: 1, after: 0 }]]),
    capacity: new Map(),
    placement: [{ type: 'paragraph', words }],
    assumptions: [{ type: 'paragraph', words }],
    document: { kind: HOSTILE },
    file: 'simulation.json',
  });
  writeFileSync(file, [...page].join(''));
  return file;
}
