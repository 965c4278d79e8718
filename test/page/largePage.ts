import { writeFileSync } from 'node:fs';
import type { Span } from '../../src/simulator/timeline/span.ts';
import type { ObjectIdentity } from '../../src/karmada/api/meta.ts';
import { reportPage } from '../../src/views/report/reportPage.ts';
import type { SpansShown } from '../../src/views/timeline/spansShown.ts';

/** An hour in which 500 clusters fail one after another: this many workloads with five spans each. */
export function largeHour(workloads: number): SpansShown {
  const spans = namesOf(workloads).flatMap((workload, i): Span[] => {
    const [home, other] = [`member-${i % 500}`, `member-${(i * 7 + 1) % 500}`];
    const failed = (i % 500) * 5000 + (i % 13);
    const evicted = failed + 35_000 + i * 20;
    const ready = evicted + 20_000 + (i % 31) * 100;
    const replicas = 1 + (i % 9);
    const rest = { workload, certainty: 'estimate' as const };
    const why = [
      { rule: 'no toleration for the taint cluster.karmada.io/not-ready:NoExecute', value: workload.name },
    ];
    return [
      { ...rest, phase: 'gap', from: failed, to: ready, replicas, evidence: [] },
      {
        ...rest,
        cluster: home,
        phase: 'ready',
        from: 0,
        to: failed,
        replicas,
        ready: replicas,
        evidence: [],
      },
      {
        ...rest,
        cluster: home,
        phase: 'evicting',
        from: failed,
        to: ready,
        replicas,
        ready: 0,
        evidence: why,
      },
      {
        ...rest,
        cluster: other,
        phase: 'starting',
        from: evicted,
        to: ready,
        replicas,
        ready: 0,
        evidence: [],
      },
      { ...rest, cluster: other, phase: 'ready', from: ready, replicas, ready: replicas, evidence: [] },
    ];
  });
  return { title: '500 clusters fail', start: 0, end: 3600_000, spans };
}

function namesOf(workloads: number): ObjectIdentity[] {
  return Array.from({ length: workloads }, (_, i) => ({
    kind: 'Deployment',
    namespace: `team-${i % 97}`,
    name: `service-${i}`,
  }));
}

/** Writes a report of that hour. */
export function largePage(file: string, workloads: number): { file: string; bytes: number; spans: number } {
  const shown = largeHour(workloads);
  const outcomes = namesOf(workloads).map((workload) => ({
    ...workload,
    fate: 'moves',
    fewer: '',
    certainty: 'estimate' as const,
    dependsOn: ['the room that clusters report'],
    before: [{ name: 'member-1', replicas: 3 }],
    after: [{ name: 'member-2', replicas: 3 }],
  }));
  const pieces = reportPage({
    kind: 'Simulation',
    verdict: `500 clusters fail: of ${workloads} workloads ${workloads} move.`,
    basis: 'Made up.',
    shown,
    outcomes,
    fates: [{ name: 'moves', text: 'moves', tone: 'plain' }],
    summary: [],
    placed: new Map(),
    capacity: new Map(),
    placement: [],
    assumptions: [],
    document: { kind: 'Simulation', schemaVersion: 'v1', workloads: outcomes, events: shown.spans },
    file: 'simulation.json',
  });
  const text = [...pieces].join('');
  writeFileSync(file, text);
  return { file, bytes: Buffer.byteLength(text), spans: shown.spans.length };
}
