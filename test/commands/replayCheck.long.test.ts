import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../src/karmada/api/work.ts';
import { parseScenario } from '../../src/state/scenario/scenarioFile.ts';
import { parseAnyYaml } from '../../src/state/yaml/anyYaml.ts';
import { instantOf } from '../recordings/moments.ts';
import { readRecording, type Change, type Recording } from '../recordings/recording.ts';
import { writeRecordedFile } from '../recordings/recordedFile.ts';
import { run } from './cli.ts';
import { breaches } from './schema.ts';

interface Checked {
  untold: { what: string }[];
  doubts: { text: string }[];
  summary: { agree: number; race: number; untold: number; differ: number; secondsOff?: { median: number } };
  workloads: {
    verdict: string;
    certainty: string;
    untold?: { what: string };
    dependsOn?: string[];
    reason?: { kind: string; text: string; cluster?: string; recorded?: string; confirmedFrom?: string };
    writtenBack?: { cluster: string }[];
    recorded: unknown[];
    predicted: unknown[];
  }[];
}

const DATA = 'test/recordings/data/member-fails';

/** The recording of a member that fails and comes back: bindings, and its conditions as in the scenario. */
function memberFails(): Recording {
  const unpacked = (name: string) => gunzipSync(readFileSync(join(DATA, name))).toString();
  const scenario = parseScenario(
    parseAnyYaml(readFileSync(join(DATA, 'scenario.yaml'), 'utf8'), () => undefined),
    'scenario.yaml',
  );
  const start = scenario.start!;
  const { items } = JSON.parse(unpacked('state.json.gz')) as { items: KubernetesObject[] };
  /** for bindings only placements and tasks were kept */
  const whole = (resource: string, object: KubernetesObject): KubernetesObject => {
    const { clusters, gracefulEvictionTasks } = (object as unknown as ResourceBinding).spec;
    const found = items.find(
      ({ kind, metadata: { namespace, name } }) =>
        `${kind.toLowerCase()}s` === resource &&
        name === object.metadata.name &&
        namespace === object.metadata.namespace,
    ) as unknown as ResourceBinding;
    const { clusters: _, gracefulEvictionTasks: __, ...spec } = found.spec;
    const placed = {
      ...(clusters ? { clusters } : {}),
      ...(gracefulEvictionTasks
        ? {
            gracefulEvictionTasks: gracefulEvictionTasks.map((task) => ({
              ...task,
              reason: 'TaintUntolerated',
              producer: 'TaintManager',
            })),
          }
        : {}),
    };
    return { ...found, spec: { ...spec, ...placed } } as unknown as KubernetesObject;
  };
  const bindings = unpacked('bindings.jsonl.gz')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Omit<Change, 'time'> & { time: string })
    .map((row): Change => ({ ...row, time: Date.parse(row.time), object: whole(row.resource, row.object) }));
  const conditions = scenario.events.flatMap(({ at, action }): Change[] => {
    if (action.type !== 'condition') return [];
    const found = items.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === action.cluster)!;
    const cluster = structuredClone(found) as unknown as Cluster;
    cluster.status!.conditions = cluster.status!.conditions!.map((one) =>
      one.type === action.condition.type ? { ...one, ...action.condition } : one,
    );
    const object = cluster as unknown as KubernetesObject;
    return [{ time: instantOf(at, start), resource: 'clusters', type: 'MODIFIED', object }];
  });
  const until = instantOf(scenario.until as { instant: number }, start);
  const changes = [...bindings, ...conditions].sort((a, b) => a.time - b.time);
  return {
    name: 'member-fails',
    before: items,
    changes,
    scenario,
    start,
    until,
    readiness: undefined,
    failures: undefined,
  };
}

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replay-'));
  file = join(folder, 'incident.rec');
  await writeRecordedFile(memberFails(), file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const assume = [
  'Failover=true',
  'enable-no-execute-taint-eviction=true',
  'graceful-eviction-timeout=3m',
].flatMap((one) => ['--assume', one]);
/** All deciding flags, with failover off. */
const OFF = [
  ...['Failover=false', 'StatefulFailoverInjection=false', 'enable-no-execute-taint-eviction=true'],
  ...['no-execute-taint-eviction-purge-mode=Gracefully', 'resource-eviction-rate=0.5'],
  ...['graceful-eviction-timeout=3m', 'cluster-failure-threshold=30s', 'cluster-monitor-grace-period=40s'],
  'allow-no-execute-taint-policy=false',
];
const off = OFF.flatMap((one) => ['--assume', one]);
const check = (...words: string[]) => run(['replay', 'check', ...words, '--ready-after', '25s', ...assume]);

describe('replay check', () => {
  test('predicts a recorded incident on real Karmada', () => {
    const { code, stdout } = check(file, '-o', 'json');
    const checked = JSON.parse(stdout) as Checked;
    expect(breaches('replay-check', checked)).toBe('');
    expect(checked.summary.differ).toBe(0);
    expect(checked.summary.agree).toBeGreaterThan(3);
    expect(checked.summary.secondsOff!.median).toBeLessThan(5);
    expect(code).toBe(0);
  });

  test('reports workloads as unpredictable with exit code 0 if the flags of Karmada are unknown', () => {
    const { code, stdout } = run(['replay', 'check', file, '--assume', 'Failover=false', '-o', 'json']);
    const checked = JSON.parse(stdout) as Checked;
    expect(breaches('replay-check', checked)).toBe('');
    expect({ code, differ: checked.summary.differ }).toEqual({ code: 0, differ: 0 });
    expect(checked.summary.untold).toBeGreaterThan(3);
    // a taint manager was observed running, and Failover was given
    const [how] = checked.untold;
    expect(how!.what).toMatch(
      /^flags of Karmada: defaults are .*graceful-eviction-timeout=.*; give --assume/,
    );
    expect(how!.what).not.toMatch(/enable-taint-manager|[^-]Failover=/);
    expect(checked.workloads[0]).toMatchObject({ verdict: 'untold', untold: how });
    const { stdout: text } = run(['replay', 'check', file, '--assume', 'Failover=false']);
    expect(text).toContain('Inputs that are not in the recording; differences after them prove nothing:');
    expect(text).toMatch(
      /0 in another processing order, \d+ unproven \(an input is not in the recording\), 0 differently/,
    );
  });

  test('exits with 1 for a difference, and shows recording and prediction', () => {
    // with failover off nothing would have been evicted
    const { code, stdout } = run(['replay', 'check', file, ...off, '--assume', 'enable-taint-manager=true']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/differ/);
    expect(stdout).toContain('recorded');
    expect(stdout).toContain('predicted');
  });

  /** The flags of a random incident, from its scenario. */
  function flagsOf({ scenario }: Recording): string[] {
    const groups = ['featureGates', 'controllerManager', 'agent', 'scheduler', 'webhook'] as const;
    const assumed = scenario.assume as Partial<Record<string, Record<string, unknown>>>;
    // the command takes one value of a flag, even if components have different ones
    const values = new Map(groups.flatMap((group) => Object.entries(assumed[group] ?? {})));
    return [...values].flatMap(([name, value]) => ['--assume', `${name}=${String(value)}`]);
  }

  test('exits with 0 if only estimates differ, and gives the reason', async () => {
    // given an incident with an unpredictable replacement: the scheduler processed it a second later than usual, after the cluster had
    // reported its capacity
    const incident = join(folder, 'estimate.rec');
    const recording = readRecording('test/recordings/data/incidents/0005');
    await writeRecordedFile(recording, incident);
    const { code, stdout } = run(['replay', 'check', incident, ...flagsOf(recording), '-o', 'json']);
    const checked = JSON.parse(stdout) as Checked;
    expect(breaches('replay-check', checked)).toBe('');
    const differing = checked.workloads.filter(({ verdict }) => verdict === 'differ');
    expect(differing).toHaveLength(1);
    expect(differing[0]).toMatchObject({
      certainty: 'estimate',
      dependsOn: ['reported capacity, followed from the capture'],
      reason: { kind: 'room', cluster: 'member2', recorded: expect.stringContaining('13 of 14 pods') },
    });
    // and from shortly before, with that capacity, it is predicted
    expect(differing[0]!.reason!.confirmedFrom).toBeDefined();
    expect(code).toBe(0);
  });

  test('reports a replica that the scheduler writes back after an eviction as a race', async () => {
    // given an incident in which the scheduler undoes an eviction that came between its read and its write
    const incident = join(folder, 'back.rec');
    const recording = readRecording('test/recordings/data/incidents/other-11a');
    await writeRecordedFile(recording, incident);
    const { code, stdout } = run(['replay', 'check', incident, ...flagsOf(recording), '-o', 'json']);
    const checked = JSON.parse(stdout) as Checked;
    expect(breaches('replay-check', checked)).toBe('');
    expect(checked.summary).toMatchObject({ race: 1, differ: 0 });
    expect(checked.workloads.find(({ verdict }) => verdict === 'race')).toMatchObject({
      writtenBack: [{ cluster: 'ams1' }],
    });
    expect(code).toBe(0);
  });

  test('predicts nothing for workloads created or deleted during the recording', async () => {
    // given a workload that is created while recording, and another that is deleted
    const recording = memberFails();
    const [first, second] = recording.changes.filter(({ resource }) => resource === 'resourcebindings');
    const made = structuredClone(first!.object) as unknown as ResourceBinding;
    made.metadata = { ...made.metadata, name: 'made-deployment', uid: 'made' };
    made.spec.resource = { ...made.spec.resource, name: 'made' };
    const [member] = made.spec.clusters ?? [];
    const placed = { ...made, spec: { ...made.spec, clusters: [{ name: member!.name, replicas: 1 }] } };
    const { clusters: _, gracefulEvictionTasks: __, ...unplaced } = made.spec;
    const change = (time: number, type: Change['type'], object: object): Change => ({
      time,
      type,
      resource: 'resourcebindings',
      object: object as KubernetesObject,
    });
    const changes = [
      ...recording.changes.filter(({ object }) => object.metadata.name !== second!.object.metadata.name),
      change(recording.start + 1000, 'DELETED', second!.object),
      change(recording.start + 2000, 'ADDED', { ...made, spec: unplaced }),
      change(recording.start + 3000, 'MODIFIED', placed),
    ].sort((a, b) => a.time - b.time);
    const passing = join(folder, 'passing.rec');
    await writeRecordedFile({ ...recording, changes }, passing);
    // when it is compared with the prediction
    const { code, stdout } = check(passing, '-o', 'json');
    // then neither of them differs, and both are named
    const checked = JSON.parse(stdout) as Checked;
    expect(breaches('replay-check', checked)).toBe('');
    expect(checked.summary.differ).toBe(0);
    expect(checked.doubts.map(({ text }) => text).join()).toContain(
      '/made. Outcomes of created or deleted workloads',
    );
    expect(code).toBe(0);
  });

  test.each([
    ['changes', 'The recording has no change to compare a prediction with.'],
    ['workloads', 'The recording begins without a binding: there is no workload to predict.'],
  ])('reports a recording without %s as having nothing to check', async (without, expected) => {
    const recording = memberFails();
    const before = recording.before.filter(
      ({ kind }) => without === 'changes' || !/(?:Binding|Work)$/.test(kind),
    );
    const empty = join(folder, `no-${without}.rec`);
    await writeRecordedFile({ ...recording, before, changes: [] }, empty);
    const { code, stdout } = check(empty);
    expect(code).toBe(0);
    expect(stdout).toContain(expected);
    expect(stdout).toContain('No workload moved, and none was predicted to.');
  });

  test('refuses stdin, which can be read only once', () => {
    const { code, stderr } = check('-');
    expect(code).toBe(2);
    expect(stderr).toContain('stdin: a recording is read twice here; give its file, not stdin or a pipe');
  });

  test('refuses a file that is not a recording', () => {
    const { code, stderr } = check('examples/shop/control-plane.json');
    expect(code).toBe(2);
    expect(stderr).toContain('is not a recording; give a file written by record');
  });
});
