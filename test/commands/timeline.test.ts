import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { readRecording } from '../recordings/recording.ts';
import { shop } from '../state/recording/recorded.ts';
import { writeRecordedFile } from '../recordings/recordedFile.ts';
import { unpackedPage } from '../fixtures/unpackedPage.ts';
import { run } from './cli.ts';
import { liveServer, runLive } from './liveServer.ts';
import { breaches } from './schema.ts';

interface Timeline {
  source: string;
  doubts: { text: string }[];
  events: {
    time: string;
    since?: string;
    type: string;
    object: { name: string };
    cluster?: string;
    source?: string;
  }[];
  evictions: Record<string, string>[];
  workloads: { workload: { name: string }; missingReplicaMinutes?: number; gap?: object }[];
  spans: { phase: string }[];
}

let folder: string;
let file: string;
let changes: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'timeline-'));
  file = join(folder, 'incident.rec');
  changes = await writeRecordedFile(readRecording('test/recordings/data/incidents/0002'), file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const assume = ['--assume', 'Failover=true', '--assume', 'enable-no-execute-taint-eviction=true'];
const timeline = (...words: string[]) => run(['timeline', ...words, ...assume]);
const document = (...words: string[]) => JSON.parse(timeline(...words, '-o', 'json').stdout) as Timeline;

describe('timeline of a recording', () => {
  test('lists events in order of time, and the duration of each eviction step', () => {
    const reported = document('--state', file);
    expect(breaches('timeline', reported)).toBe('');
    expect(reported.source).toBe('recording');
    expect(reported.doubts).toEqual([]);
    const times = reported.events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(changes).toBeGreaterThan(100);
    expect(reported.evictions.length).toBeGreaterThan(0);
    for (const { detected, tainted, evicted, scheduled, ready } of reported.evictions) {
      const known = [detected, tainted, evicted, scheduled, ready].filter((time) => time !== undefined);
      expect(known).toEqual(known.toSorted());
    }
    expect(reported.spans.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['evicting', 'ready']));
  });

  test('refuses a recording from stdin, which can be read only once', () => {
    const { code, stderr } = run(['timeline', '--state', '-', ...assume], {
      stdin: gunzipSync(readFileSync(file)).toString(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('stdin: a recording is read twice here; give its file, not stdin or a pipe');
  });

  test('prints one line for each cause, and with a workload one for each step', () => {
    const all = timeline('--state', file);
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/\d+ workloads evicted from \S+, over/);
    expect(all.stdout).toContain('REPLICA-MINUTES');
    const [{ workload }] = document('--state', file).evictions as unknown as [
      { workload: { kind: string; namespace: string; name: string } },
    ];
    const name = `${workload.namespace}/${workload.kind.toLowerCase()}/${workload.name}`;
    const one = document(name, '--state', file);
    expect(one.workloads.map((each) => each.workload.name)).toEqual([workload.name]);
    expect(timeline(name, '--state', file).stdout).toContain('evicted from');
  });

  test('reports the missing replicas of each workload with downtime, also for one cluster', () => {
    const { evictions, ...whole } = document('--state', file);
    const ofCluster = document(evictions[0]!.from!, '--state', file);
    for (const { workloads } of [whole, ofCluster]) {
      expect(workloads.some(({ gap }) => gap)).toBe(true);
      for (const { missingReplicaMinutes = 0, gap } of workloads)
        expect(gap !== undefined).toBe(missingReplicaMinutes > 0);
    }
  });

  test('ends at the requested instant', () => {
    const whole = document('--state', file);
    const { time } = whole.events.find(({ type }) => type === 'Evicted')!;
    const part = document('--state', file, '--at', time);
    expect(part.events.length).toBeLessThan(whole.events.length);
    expect(part.events.every((event) => event.time <= time)).toBe(true);
  });

  test('prints Markdown for a post-mortem', () => {
    const { code, stdout } = timeline('--state', file, '-o', 'markdown');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^## What happened, .*\n\nRecorded from /);
    expect(stdout).toContain('| time | who | what |\n|---|---|---|\n');
    expect(stdout).toContain('### Evictions');
  });

  test('does not list observed or irrelevant gates as assumptions', () => {
    const reported = run(['timeline', '--state', file, '-o', 'json']).stdout;
    const { assumptions } = JSON.parse(reported) as { assumptions: { name: string }[] };
    expect(assumptions.filter(({ name }) => name === 'Failover')).toEqual([]);
    expect(assumptions).toContainEqual({
      name: 'enable-no-execute-taint-eviction',
      value: true,
      assumed: false,
      source: 'the taint manager has evicted',
    });
  });

  test('refuses an unknown cluster or workload', () => {
    const cluster = timeline('nowhere', '--state', file);
    expect([cluster.code, cluster.stderr]).toEqual([
      2,
      expect.stringContaining('there is no cluster "nowhere"'),
    ]);
    expect(timeline('deployment/none', '--state', file).code).toBe(2);
  });
});

describe('timeline of a state', () => {
  test('is reconstructed from the times in the state, and lists missing information', () => {
    const reported = document('--state', 'examples/shop');
    expect(breaches('timeline', reported)).toBe('');
    expect(reported.source).toBe('state');
    expect(reported.doubts[0]!.text).toContain('Only the last change of each condition');
    expect(reported.events.every(({ source }) => source !== undefined)).toBe(true);
    expect(reported.workloads.every(({ missingReplicaMinutes }) => missingReplicaMinutes === undefined)).toBe(
      true,
    );
    const { stdout } = timeline('--state', 'examples/shop');
    expect(stdout).toContain('Only the last change of each condition');
  });
});

describe('timeline of a live control plane', () => {
  const happened = { firstTimestamp: '2026-09-01T09:58:00Z', lastTimestamp: '2026-09-01T09:58:00Z' };
  /** The shop, a manual taint, and an eviction that has ended. */
  const objects = () => {
    const entry = {
      manager: 'kubectl-taint',
      operation: 'Update',
      time: '2026-09-01T09:57:00Z',
      fieldsV1: { 'f:spec': { 'f:taints': {} } },
    };
    const all = shop().map((one) =>
      one.kind === 'Cluster' && one.metadata.name === 'oregon'
        ? {
            ...one,
            metadata: { ...one.metadata, managedFields: [entry] },
            spec: { ...(one as unknown as Cluster).spec, taints: [{ key: 'upgrade', effect: 'NoSchedule' }] },
          }
        : one,
    );
    const binding = all.find(({ kind }) => kind === 'ResourceBinding')!;
    const { namespace, name } = binding.metadata;
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace, name: 'one.1' },
      ...happened,
      reason: 'EvictWorkloadFromClusterSucceed',
      message: 'Evict from cluster oregon succeed.',
      involvedObject: { kind: 'ResourceBinding', namespace, name },
    };
    return [...all, event] as KubernetesObject[];
  };

  test('includes Events and the managers that changed the taints of clusters', async () => {
    const server = await liveServer(objects());
    try {
      const { code, stdout } = await runLive(['timeline', ...assume, '-o', 'json'], server);
      expect(code).toBe(0);
      const reported = JSON.parse(stdout) as Timeline;
      expect(breaches('timeline', reported)).toBe('');
      expect(reported.evictions).toContainEqual(
        expect.objectContaining({ from: 'oregon', ended: '2026-09-01T09:58:00.000Z' }),
      );
      expect(reported.events).toContainEqual(
        expect.objectContaining({
          type: 'TaintAdded',
          cluster: 'oregon',
          controller: 'kubectl-taint',
          controllerSource: 'metadata.managedFields[kubectl-taint].time',
        }),
      );
    } finally {
      server.close();
    }
  });

  test('reports that Events could not be read if they are forbidden', async () => {
    const server = await liveServer(objects(), { forbidden: ['events'] });
    try {
      const { code, stdout, stderr } = await runLive(['timeline', ...assume, '-o', 'json'], server);
      expect(code).toBe(0);
      expect(stderr).toContain('list on events is granted by the ClusterRole karmada-failover-history');
      const reported = JSON.parse(stdout) as Timeline;
      expect(reported.evictions.filter(({ ended }) => ended !== undefined)).toEqual([]);
      expect(reported.doubts.map(({ text }) => text).join()).toContain('Events could not be read');
    } finally {
      server.close();
    }
  });
});

describe('report', () => {
  test('writes the page of timeline --report, and prints a one-sentence summary', () => {
    const page = join(folder, 'report.html');
    const { code, stdout, stderr } = run(['report', file, '--out', page, ...assume]);
    const said = `${timeline('--state', file).stderr}Report written to ${page}\n`;
    expect({ code, stderr }).toEqual({ code: 0, stderr: said });
    expect(stdout).toMatch(
      /^\S+report\.html: What happened: member4 was not Ready; \d+ evictions of \d+ workloads from member3, .*; .*\.\n\nkubectl karmada-failover timeline --state=\S+incident\.rec --assume=\S+.*\n$/,
    );
    const html = readFileSync(page, 'utf8');
    expect(html).toContain(stdout.slice(stdout.indexOf('What happened'), stdout.indexOf('\n')));
    expect(JSON.parse(unpackedPage(html).get('report-document')!)).toEqual(document('--state', file));
  });

  test('ends at the requested instant', () => {
    const page = join(folder, 'part.html');
    const { time } = document('--state', file).events.find(({ type }) => type === 'Evicted')!;
    run(['report', file, '--out', page, '--at', time, ...assume]);
    const html = readFileSync(page, 'utf8');
    expect(JSON.parse(unpackedPage(html).get('report-document')!)).toEqual(
      document('--state', file, '--at', time),
    );
  });

  test.each([
    [['nowhere.rec', '--out', 'page.html'], 'nowhere.rec'],
    [['incident.rec', '--out', '-'], '--out -: name a file'],
    [['incident.rec'], 'out'],
  ])('rejects %j', (words, message) => {
    const { code, stdout, stderr } = run(['report', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

test('timeline --gantt draws bars, -o mermaid a chart, and --report a page', () => {
  expect(timeline('--state', file, '--gantt').stdout).toMatch(/^ {2}member\d {2,}.*━/m);
  expect(timeline('--state', file, '-o', 'mermaid').stdout).toMatch(/^gantt\n {2}title What happened\n/);
  const page = join(folder, 'timeline.html');
  const shown = timeline('--state', file);
  const said = `Report written to ${page}\n${shown.stderr}`;
  expect(timeline('--state', file, '--report', page)).toEqual({ ...shown, stderr: said });
  const html = readFileSync(page, 'utf8');
  expect(html).toMatch(/<h1>What happened: .*\d+ evictions? of \d+ workloads?/);
  expect(JSON.parse(unpackedPage(html).get('report-document')!)).toEqual(document('--state', file));
});

describe('timeline --since', () => {
  const seen = (...words: string[]) =>
    document(...words).events.map(({ type, cluster }) => `${type} ${cluster ?? ''}`);

  test('includes earlier causes of an eviction in a state', () => {
    const events = seen('--state', 'examples/incident', '--since', '1m');
    expect(events.slice(0, 2)).toEqual(['ConditionChanged frankfurt', 'TaintAdded frankfurt']);
    expect(events).toContain('Evicted frankfurt');
  });

  test('includes earlier causes of an eviction in a recording', () => {
    const { events, evictions } = document('--state', file);
    const first = evictions.find(({ tainted, evicted }) => tainted !== undefined && tainted < evicted!)!;
    const end = Date.parse(events.at(-1)!.time);
    const since = `${Math.ceil((end - Date.parse(first['evicted']!)) / 1000)}s`;
    const later = document('--state', file, '--at', events.at(-1)!.time, '--since', since);
    expect(later.events[0]).toMatchObject({ type: expect.stringMatching(/TaintAdded|ConditionChanged/) });
    expect(later.evictions[0]).toMatchObject({ tainted: expect.any(String) });
  });
});

describe('timeline --from', () => {
  const between = ['--from', 'examples/shop', '--state', 'examples/incident'];

  test('lists recorded events between two states, and other differences at an unknown time', () => {
    const reported = document(...between);
    expect(breaches('timeline', reported)).toBe('');
    expect(reported).toMatchObject({
      source: 'states',
      start: '2026-09-01T09:30:00.000Z',
      end: '2026-09-01T09:32:00.000Z',
    });
    const [ready, cart] = ['frankfurt', 'cart-deployment'].map((name) =>
      reported.events.filter(({ object, type }) => object.name === name && /Condition|Scheduled/.test(type)),
    );
    expect(ready).toEqual([expect.objectContaining({ time: '2026-09-01T09:30:35.000Z' })]);
    expect(cart).toEqual([
      expect.objectContaining({ since: '2026-09-01T09:30:00.000Z', time: '2026-09-01T09:32:00.000Z' }),
    ]);
  });

  test('prints a summary with numbers first, and both times', () => {
    const { stdout } = timeline(...between);
    expect(stdout.split('\n')[0]).toBe(
      'What happened: frankfurt not Ready, 5 workloads evicted, 8 rescheduled, 3 not placed.',
    );
    expect(stdout).toContain(
      '\nReconstructed from the states of 2026-09-01T09:30:00Z and 2026-09-01T09:32:00Z. ',
    );
    expect(stdout).toContain('rescheduled, at an unknown time since 2026-09-01T09:30:00Z');
  });

  test('requires the older state for --from', () => {
    expect(timeline('--from', 'examples/incident', '--state', 'examples/shop')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give the older one to --from') as unknown as string,
    });
  });
});
