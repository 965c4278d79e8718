import { identityOf } from '../../src/state/world/validateObject.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { smallState } from './mutatedState.ts';
import { randomOf } from './random.ts';

const START = Date.parse('2026-09-01T10:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** The lines of a recording with one of each kind of line. */
export function wholeRecording(): object[] {
  const items = smallState().items as KubernetesObject[];
  const cluster = items.find(({ kind }) => kind === 'Cluster')!;
  const binding = items.find(({ kind }) => kind === 'ResourceBinding')!;
  const other = { ...cluster, metadata: { ...cluster.metadata, name: 'new' } };
  return [
    {
      kind: 'Recording',
      schemaVersion: 'v1',
      started: at(0),
      components: {
        commandLines: [
          { component: 'scheduler', flags: [{ name: 'v', value: '4' }], source: 'Deployment x' },
        ],
        versions: [{ component: 'scheduler', version: 'v1.18.2', source: 'Deployment x' }],
        warnings: ['one'],
      },
      detected: { version: 'v1.18', source: 'the API has all' },
      served: [{ group: 'cluster.karmada.io', versions: ['v1alpha1'] }],
      unread: [{ kind: 'Lease', missing: 'list on leases' }],
      warnings: ['two'],
    },
    ...items.map((object) => ({ object })),
    { complete: items.length },
    { at: at(1), added: other },
    {
      at: at(2),
      of: identityOf(cluster),
      patch: [
        {
          op: 'add',
          path: '/spec/taints',
          value: [
            {
              key: 'cluster.karmada.io/not-ready',
              effect: 'NoExecute',
              timeAdded: at(2),
            },
          ],
        },
      ],
    },
    {
      at: at(3),
      of: identityOf(binding),
      patch: [
        {
          op: 'add',
          path: '/spec/gracefulEvictionTasks',
          value: [
            { fromCluster: cluster.metadata.name, producer: 'TaintManager', reason: 'TaintUntolerated' },
          ],
        },
        { op: 'replace', path: '/spec/clusters', value: [{ name: 'new', replicas: 2 }] },
      ],
    },
    { at: at(4), silent: ['Work'], since: at(3) },
    { at: at(6), heard: ['Work'], since: at(3), lost: false },
    { at: at(7), of: identityOf(other), deleted: true },
    { at: at(8), alive: true },
    { at: at(9), end: 'it was over' },
  ];
}

/** The text of a recording with something in it broken. */
export function mutatedRecording(seed: number): string {
  const random = randomOf(seed);
  const lines = wholeRecording();
  const text = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (random.next() < 0.2) return mutatedText(text(lines), random);
  const place = random.next() < 0.5 ? lines.length - 1 - random.below(10) : random.below(lines.length);
  if (random.next() < 0.1) return text(lines.toSpliced(place, 1));
  return text(lines.with(place, mutatedValue(lines[place], random) as object));
}
