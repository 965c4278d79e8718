import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { stateFromFiles } from '../../src/state/fileSource.ts';
import { binding, listOf, load, object, problemOf, TemporaryFiles } from './temporaryFiles.ts';
import { tar } from './input/tarArchive.ts';

let files: TemporaryFiles;
beforeEach(() => {
  files = new TemporaryFiles();
});
afterEach(() => files.remove());

const cluster = object('Cluster', 'frankfurt');
const web = binding('web', { replicas: 2, clusters: [{ name: 'frankfurt', replicas: 2 }] });
const names = async (...paths: string[]) => {
  const { clusters, bindings, works, policies, taintPolicies, others } = (await load(...paths)).world;
  return [...clusters, ...bindings, ...works, ...policies, ...taintPolicies, ...others].map(
    ({ metadata }) => metadata.name,
  );
};
const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url).pathname;

describe('the output of kubectl get', () => {
  test('describes the same state as JSON and as YAML', async () => {
    const [json, yaml] = [await load(fixture('list.json')), await load(fixture('list.yaml'))];
    expect(yaml.world).toEqual(json.world);
    expect(json.world.bindings[0]!.metadata.labels).toHaveProperty('yes', 'no');
    expect(json.world.others[0]!.kind).toBe('ConfigMap');
  });

  test.each([fixture('list.json'), fixture('list.yaml')])(
    'may begin with warnings from stderr: %s',
    async (path) => {
      const warned = `Warning: v1 ComponentStatus is deprecated in v1.19+\nWarning: ${'x'.repeat(3000)}\n`;
      const copy = files.write('warned', warned + readFileSync(path, 'utf8'));
      expect((await load(copy)).world).toEqual((await load(path)).world);
      expect(await problemOf(files, files.write('s', warned))).toMatch(/^s: holds only warnings; /);
    },
  );

  test('keeps unknown kinds and fields', async () => {
    const path = files.write('s.json', listOf({ ...object('Widget', 'w'), spec: { a: [1, { b: null }] } }));
    expect((await load(path)).world.others).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Widget',
        metadata: { name: 'w', namespace: 'shop' },
        spec: { a: [1, { b: null }] },
      },
    ]);
    const unknown = { ...web, spec: { ...(web.spec as object), yetToCome: { x: 1 } } };
    const { world } = await load(files.write('t.json', JSON.stringify(unknown)));
    expect(world.bindings).toEqual([unknown]);
  });

  test('is sorted by kind, with bindings of both scopes in one list', async () => {
    const path = files.write(
      's.json',
      listOf(cluster, web, object('Work', 'w'), object('PropagationPolicy', 'p', { spec: {} }), {
        ...binding('role'),
        kind: 'ClusterResourceBinding',
      }),
    );
    const { world } = await load(path);
    expect(world.bindings.map(({ kind }) => kind)).toEqual(['ResourceBinding', 'ClusterResourceBinding']);
    expect([world.clusters, world.works, world.policies].map((list) => list.length)).toEqual([1, 1, 1]);
  });

  test('is sorted by API group, not only by kind', async () => {
    const path = files.write(
      's.json',
      JSON.stringify({ ...cluster, apiVersion: 'cluster.x-k8s.io/v1beta1' }),
    );
    const { world } = await load(path);
    expect([world.clusters.length, world.others.length]).toEqual([0, 1]);
  });
});

describe('a state may be', () => {
  test('a typed list whose items have no kind', async () => {
    const { apiVersion: _, kind: __, ...bare } = web;
    const typed = { apiVersion: 'work.karmada.io/v1alpha2', items: [bare], kind: 'ResourceBindingList' };
    expect(await names(files.write('s.json', JSON.stringify(typed)))).toEqual(['web']);
    expect(
      await names(
        files.write(
          's.yaml',
          'apiVersion: v1\nitems:\n- metadata:\n    name: a\n- metadata:\n    name: b\nkind: ConfigMapList\n',
        ),
      ),
    ).toEqual(['a', 'b']);
  });

  test('a sequence of JSON documents, or an array', async () => {
    const documents = [cluster, web, object('Pod', 'p')].map((each) => JSON.stringify(each));
    expect(await names(files.write('a.jsonl', documents.join('\n')))).toEqual(['frankfurt', 'web', 'p']);
    expect(await names(files.write('b.json', documents.join('')))).toEqual(['frankfurt', 'web', 'p']);
    expect(await names(files.write('c.json', `[${documents.join()}]`))).toEqual(['frankfurt', 'web', 'p']);
  });

  test('a sequence of YAML documents with comments and JSON', async () => {
    const yaml = `# captured by hand
---
apiVersion: v1
kind: Pod
metadata: {name: a}   # flow
---
${JSON.stringify(web)}
---
# nothing
---
apiVersion: v1
kind: Pod
metadata:
  name: b
...
`;
    expect(await names(files.write('s.yaml', yaml))).toEqual(['web', 'a', 'b']);
    const json = `${JSON.stringify(web)}\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n`;
    expect(await names(files.write('t.yaml', json))).toEqual(['web', 'a']);
  });

  test('a list of lists, or an empty list', async () => {
    expect(await names(files.write('a.json', `[${listOf(web)},${listOf()}]`))).toEqual(['web']);
    expect(await names(files.write('b.json', listOf()))).toEqual([]);
    expect(await names(files.write('c.yaml', 'apiVersion: v1\nitems: []\nkind: List\n'))).toEqual([]);
    expect(await names(files.write('d.json', '{"kind":"PodList","apiVersion":"v1","items":null}'))).toEqual(
      [],
    );
  });

  test('a YAML list with aliases', async () => {
    const yaml = `apiVersion: v1
items:
- apiVersion: v1
  kind: Pod
  metadata: &meta
    name: a
    labels: {app: web}
- apiVersion: v1
  kind: Pod
  metadata:
    <<: *meta
    name: b
kind: List
`;
    const { world } = await load(files.write('s.yaml', yaml));
    expect(world.others.map(({ metadata }) => metadata)).toEqual([
      { name: 'a', labels: { app: 'web' } },
      { name: 'b', labels: { app: 'web' } },
    ]);
  });
});

describe('a state may come from', () => {
  test('the state files in a directory, in order of their names', async () => {
    files.write('state/b/pods.yml', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: third\n');
    files.write('state/a.json', JSON.stringify(object('Pod', 'first')));
    files.write('state/b.yaml.gz', gzipSync('apiVersion: v1\nkind: Pod\nmetadata:\n  name: second\n'));
    files.write('state/README.md', '# not state');
    files.write('state/.hidden.json', '{');
    const state = await load(`${files.directory}/state`);
    expect(state.origins.map(({ name }) => name.slice(files.directory.length))).toEqual([
      '/state/a.json',
      '/state/b/pods.yml',
      '/state/b.yaml.gz',
    ]);
    expect(state.world.others.map(({ metadata }) => metadata.name)).toEqual(['first', 'third', 'second']);
  });

  test('one file under two paths, which is read once', async () => {
    const path = files.write('a.json', JSON.stringify(web));
    expect((await load(path, files.directory, path)).origins).toEqual([{ name: path, objects: 1 }]);
    expect((await load(files.directory, files.directory)).origins).toHaveLength(1);
  });

  test('gzip files and tar archives, identified by their content', async () => {
    const path = files.write('plain.json', gzipSync(JSON.stringify(web)));
    expect(await names(path)).toEqual(['web']);
    const archive = tar([
      ['dump/clusters.json', JSON.stringify(cluster)],
      ['dump/notes.txt', 'not state'],
      ['../outside.yaml', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n'],
      [`dump/${'long/'.repeat(40)}web.json.gz`, gzipSync(JSON.stringify(web))],
    ]);
    expect(await names(files.write('dump.tar', archive))).toEqual(['frankfurt', 'web', 'p']);
    const state = await load(files.write('dump.tgz', gzipSync(archive)));
    expect(state.origins[0]!.name).toBe(`${files.directory}/dump.tgz:dump/clusters.json`);
    expect(state.origins).toHaveLength(3);
  });

  test('stdin, named -', async () => {
    const text = Buffer.from(listOf(cluster, web));
    const source = stateFromFiles(['-'], () => [text.subarray(0, 100), text.subarray(100)]);
    expect((await source.load()).origins).toEqual([{ name: 'stdin', objects: 2 }]);
  });
});

test('a pipe without a valid state is read once', async () => {
  const pipe = `${files.directory}/pipe`;
  execFileSync('mkfifo', [pipe]);
  // a second read finds it empty
  const writer = spawn('sh', ['-c', 'printf "{\\"kind\\":" > "$0"; : > "$0"', pipe]);
  try {
    expect(await problemOf(files, pipe)).toBe(
      'pipe:1: the JSON ends too early; the file is truncated; write it again',
    );
  } finally {
    writer.kill();
  }
});

describe('a state file may be encoded in', () => {
  const text = listOf(object('ConfigMap', 'a', { data: { city: 'Zürich 東京 😀' } }));
  const city = async (content: Buffer) => {
    const { world } = await load(files.write('s', content));
    return (world.others[0] as { data?: Record<string, string> } | undefined)?.data?.city;
  };

  test('UTF-8 with or without a byte order mark', async () => {
    expect(await city(Buffer.from(text))).toBe('Zürich 東京 😀');
    expect(await city(Buffer.from(`\ufeff${text}`))).toBe('Zürich 東京 😀');
  });

  test('UTF-16, as from PowerShell', async () => {
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(await city(little)).toBe('Zürich 東京 😀');
    expect(await city(Buffer.from(text, 'utf16le'))).toBe('Zürich 東京 😀');
    expect(await city(Buffer.from(little).swap16())).toBe('Zürich 東京 😀');
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  city: Zürich 東京 😀\n';
    expect(await city(Buffer.from(`\ufeff${yaml.replaceAll('\n', '\r\n')}`, 'utf16le'))).toBe(
      'Zürich 東京 😀',
    );
  });
});

describe('the loader of a state', () => {
  test('reports its progress', async () => {
    const path = files.write('a.json', listOf(cluster, web));
    const seen: number[] = [];
    await stateFromFiles([path]).load({
      progress: ({ reading, bytes, totalBytes }) => {
        expect(reading).toBe(path);
        seen.push(bytes / totalBytes!);
      },
    });
    expect(seen.at(-1)).toBe(1);
  });

  test('keeps only the requested kinds, and reads flags and times from all objects', async () => {
    const container = { image: 'karmada/karmada-scheduler:v1.18.2', command: ['/bin/karmada-scheduler'] };
    const scheduler = {
      ...object('Deployment', 'karmada-scheduler', {
        spec: { template: { spec: { containers: [container] } } },
      }),
      apiVersion: 'apps/v1',
    };
    const late = { ...web, status: { lastScheduledTime: '2026-09-01T00:00:00Z' } };
    const path = files.write('a.json', listOf(cluster, late, scheduler));
    const state = await stateFromFiles([path]).load({ kinds: new Set(['Cluster']) });
    expect(state.world).toMatchObject({ clusters: [cluster], bindings: [], others: [] });
    expect(state.components.versions).toMatchObject([{ component: 'scheduler', version: 'v1.18.2' }]);
    expect(state.newestTimestamp?.time).toBe(Date.parse('2026-09-01T00:00:00Z'));
  });

  describe('given a time in the future', () => {
    const scheduled = (name: string, lastScheduledTime: string) => ({
      ...binding(name, {}),
      status: { lastScheduledTime },
    });
    const [past, toCome] = ['2026-09-01T00:00:00Z', '2099-01-01T00:00:00Z'];
    const read = (...items: unknown[]) =>
      stateFromFiles(
        [files.write('a.json', listOf(cluster, ...items))],
        () => [],
        () => Date.parse('2026-09-02T00:00:00Z'),
      ).load();

    test('ignores it as the present, with a warning', async () => {
      const state = await read(scheduled('odd', toCome), scheduled('web', past));
      expect(state.newestTimestamp).toEqual({
        time: Date.parse(past),
        object: { kind: 'ResourceBinding', namespace: 'shop', name: 'web' },
      });
      expect(state.warnings).toEqual([
        "ResourceBinding shop/odd has the time 2099-01-01T00:00:00Z, which is in the future by this machine's clock; ages and deadlines based on it are wrong",
      ]);
    });

    test('uses it if the state has no other time', async () => {
      const state = await read(scheduled('odd', toCome));
      expect(state.newestTimestamp?.time).toBe(Date.parse(toCome));
      expect(state.warnings).toEqual([]);
    });
  });

  test('warns about a state without clusters', async () => {
    const { warnings } = await load(files.write('a.json', listOf(web)));
    expect(warnings).toEqual([
      'the state has no Cluster (cluster.karmada.io); was it read from the Karmada API server?',
    ]);
  });

  test('warns about a duplicate name in a YAML object', async () => {
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n  x: "2"\n';
    const { warnings, world } = await load(files.write('a.yaml', yaml));
    expect(warnings[0]).toMatch(/a\.yaml:7: x is duplicated in one object; the last one counts/);
    expect(world.others[0]).toHaveProperty('data.x', '2');
  });
});

describe('a duplicate name in JSON', () => {
  const twice =
    '{\n"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a:{\\":"},\n"data": {"x": "1",\n"x": "2"}}';
  test.each([
    ['a single object', twice, 4],
    ['an object in a list', `{"apiVersion": "v1", "kind": "List", "items": [\n${twice}]}`, 5],
    ['a JSON document after YAML', `apiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n---\n${twice}`, 8],
  ])('has a warning with its line in %s, and the last value counts', async (_, json, line) => {
    const { warnings, world } = await load(files.write('a.json', json));
    expect(warnings[0]).toMatch(
      new RegExp(`a\\.json:${line}: x is duplicated in one object; the last one counts, as for kubectl$`),
    );
    expect(world.others.at(-1)).toHaveProperty('data.x', '2');
    expect((await load(files.write('b.json', json.replace('"x": "1",', '"y:\\\\": "1",')))).warnings).toEqual(
      [expect.stringMatching(/has no Cluster/)],
    );
  });

  test('is refused for the items of a list', async () => {
    const json = '{"kind": "List", "items": [],\n"items": []}';
    await expect(load(files.write('a.json', json))).rejects.toThrow(
      /a\.json:2: items is duplicated in one object; keep one of them$/,
    );
  });
});

describe('a file without Kubernetes objects', () => {
  test('is skipped in a directory, with one warning for all such files', async () => {
    files.write('dump/README.yaml', '# nothing collected\n');
    files.write('dump/meta.json', '{"collected": true}');
    files.write('dump/none.json', '');
    files.write('dump/state.json', listOf(cluster, web));
    const { world, warnings } = await load(join(files.directory, 'dump'));
    expect(world.bindings).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^3 files hold no Kubernetes objects and are left out: .*README\.yaml, .*meta\.json, .*none\.json$/,
      ),
    ]);
  });

  test('is also one whose list begins with something else; a damaged list is refused', async () => {
    files.write('lists/numbers.json', '[1, 2]');
    files.write('lists/rows.json', '{"items": [{"row": 1}, {"row": 2}]}');
    files.write('lists/state.json', listOf(cluster, web));
    const { world, warnings } = await load(join(files.directory, 'lists'));
    expect(world.bindings).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^2 files hold no Kubernetes objects and are left out: .*numbers\.json, .*rows\.json$/,
      ),
    ]);
    files.write('lists/state.json', `[${JSON.stringify(cluster)}, 1]`);
    await expect(load(join(files.directory, 'lists'))).rejects.toThrow('items[1] is a number');
  });

  test('is refused if it is named, or is the only file of its directory', async () => {
    const foreign = files.write('other/meta.json', '{"collected": true}');
    await expect(load(foreign)).rejects.toThrow('meta.json');
    await expect(load(join(files.directory, 'other'))).rejects.toThrow('not a Kubernetes object');
  });
});
