import { writeFileSync } from 'node:fs';
import type { Span } from '../../src/engine/timeline/span.ts';
import { reportPage } from '../../src/views/report/reportPage.ts';

/** Spans of a workload here. */
const EACH = 5;

/** Writes a report of so many workloads with five spans each, on 500 clusters that fail one after the other. */
export function largePage(file: string, workloads: number): { file: string; bytes: number; spans: number } {
  const end = 3600_000;
  const named = Array.from({ length: workloads }, (_, i) => ({
    kind: 'Deployment',
    namespace: `team-${i % 97}`,
    name: `service-${i}`,
  }));
  const spans = named.flatMap((workload, i): Span[] => {
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
  const outcomes = named.map((workload) => ({
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
    shown: { title: '500 clusters fail', start: 0, end, spans },
    outcomes,
    fates: [{ name: 'moves', text: 'moves', tone: 'plain' }],
    summary: [],
    placed: new Map(),
    room: new Map(),
    placement: [],
    assumptions: [],
    document: { kind: 'Simulation', schemaVersion: 'v1', workloads: outcomes, events: spans },
    file: 'simulation.json',
  });
  const text = [...pieces].join('');
  writeFileSync(file, text);
  return { file, bytes: Buffer.byteLength(text), spans: named.length * EACH };
}
