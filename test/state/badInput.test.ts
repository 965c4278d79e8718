import { readManifests } from '../../src/state/manifests/readManifests.ts';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dump } from 'js-yaml';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StateError } from '../../src/state/errors.ts';
import { tar } from './input/tarArchive.ts';
import { binding, listOf, load, object, problemOf, TemporaryFiles } from './temporaryFiles.ts';

let files: TemporaryFiles;
beforeEach(() => {
  files = new TemporaryFiles();
});
afterEach(() => files.remove());

const problem = (content: string | Buffer, name = 's') => problemOf(files, files.write(name, content));
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

test('a state error is one line and exits with code 2', async () => {
  const path = files.write('new\nline', '{');
  const error = (await load(path).catch((reason: unknown) => reason)) as StateError;
  expect(error).toBeInstanceOf(StateError);
  expect(error.exitCode).toBe(2);
  expect(error.message).not.toContain('\n');
});

describe('the source of a state is refused', () => {
  test('if it is empty, missing, unreadable or names stdin twice', async () => {
    expect(await problemOf(files, `${files.directory}/none.json`)).toBe(
      'none.json: no such file or directory; check the path',
    );
    expect(await problemOf(files, '')).toBe(
      'the path of a state is empty; name a file, a directory or - for stdin',
    );
    expect(await problemOf(files, '-', '-')).toBe('stdin (-) can be read only once; name it once');
    const path = files.write('secret.json', '{}');
    chmodSync(path, 0);
    if (process.getuid?.() !== 0)
      expect(await problemOf(files, path)).toBe(
        'secret.json: permission denied; make it readable for this user',
      );
  });

  test('if it contains no state', async () => {
    files.write('dir/notes.txt', '');
    mkdirSync(`${files.directory}/hollow`);
    expect(await problemOf(files, `${files.directory}/hollow`)).toBe(
      'hollow: is an empty directory; give one that holds state, in files named .json, .jsonl, .yaml, .yml, .rec (also .gz), .tar, .tgz',
    );
    symlinkSync('.', `${files.directory}/hollow/itself`);
    expect(await problemOf(files, `${files.directory}/hollow`)).toMatch(
      /^hollow: no state in this directory/,
    );
    const needed = 'it needs files named .json, .jsonl, .yaml, .yml, .rec (also .gz), .tar, .tgz';
    expect(await problemOf(files, `${files.directory}/dir`)).toBe(
      `dir: no state in this directory; ${needed}`,
    );
    expect(await problem(tar([['a.txt', 'x']]))).toBe(`s: no state in this archive; ${needed}`);
    expect(await problem('')).toBe('s: is empty; write it again with kubectl get -o json');
    expect(await problem('\n  \n')).toBe('s: is only white space; write it again with kubectl get -o json');
    expect(await problem('# a comment\n---\n')).toMatch(/^s: holds comments and no object/);
  });

  test('if it contains binary data', async () => {
    const binary = 's: is binary, neither JSON nor YAML; give the output of kubectl get -o json|yaml';
    expect(await problem(Buffer.alloc(4096))).toBe(binary);
    expect(await problem(gzipSync(Buffer.alloc(64 * 1024 * 1024)))).toBe(binary);
    expect(await problem(Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]))).toBe(binary);
    expect(await problem('PK\u0003\u0004')).toMatch(/^s: is a zip archive; unpack it first/);
  });

  test('if it is damaged or truncated', async () => {
    const text = listOf(...Array.from({ length: 500 }, (_, i) => binding(`web-${Math.sin(i)}`)));
    expect(await problem(gzipSync(text).subarray(0, -500))).toBe(
      's: the gzip file is truncated; copy or write it again',
    );
    expect(await problem(Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8, 1)]))).toBe(
      's: the gzip file is damaged; copy or write it again',
    );
    expect(await problem(tar([['a.json', text]]).subarray(0, 2000))).toBe(
      's: the tar archive is truncated; copy or pack it again',
    );
    expect(await problem(gzipSync(gzipSync(gzipSync(gzipSync(gzipSync(gzipSync(text)))))))).toMatch(
      /^s: packed more than 4 times over/,
    );
  });
});

describe('JSON input is refused', () => {
  test.each([
    ['{"apiVersion": "v1",\n "kind" "Pod"}', 's:2:9: not valid JSON: ":" is expected at ""Pod"}"'],
    [
      '{"apiVersion": "v1",\n "kind": "Pod",\n "spec": {"replicas": NaN}}',
      's:3:23: not valid JSON: NaN is not a JSON value at "NaN}}"',
    ],
    ['{"items": [{"a": 1,}]}', 's:1:20: not valid JSON: a name in double quotes is expected at "}"'],
    ['[] x', 's:1:4: not valid JSON: a JSON document is expected at "x"'],
    [
      '[{"a": "\n"}]',
      's:1:9: not valid JSON: a control character inside a string (a line break, or a missing ") at " "}"',
    ],
    ['{"items": [1]}', 's:1: items[0] is a number, expected a Kubernetes object'],
    ['{"items": [null]}', 's:1: items[0] is null, expected a Kubernetes object'],
  ])('with its place: %j', async (text, expected) => {
    expect(await problem(text)).toBe(expected);
  });

  test('if it is truncated, with the line of the end and of the last object', async () => {
    const text = listOf(binding('web'), binding('api'));
    expect(await problem(text.slice(0, text.indexOf('"api"')))).toBe(
      's:24: the JSON ends in the middle of the object that begins on line 20; the file is truncated; write it again',
    );
    expect(await problem(text.slice(0, text.indexOf('"kind": "List"')))).toMatch(
      /^s:\d+: the JSON ends too early; the file is truncated; write it again$/,
    );
  });

  test('if it is nested more than 1000 levels, or an object exceeds 64 MiB', async () => {
    expect(await problem('['.repeat(100_000))).toBe(
      's:1: is nested more than 1000 levels deep; check the file',
    );
    expect(await problem('{"a":'.repeat(5000))).toBe(
      's:1: is nested more than 1000 levels deep; check the file',
    );
    expect(await problem(`{"a":"${'x'.repeat(66 * 1024 * 1024)}`)).toMatch(/an object of more than 64 MiB/);
  });
});

describe('YAML input is refused with its line', () => {
  test.each([
    [
      'given a tab as indentation',
      `${configMap}data:\n\tx: y\n`,
      's:6: not valid YAML: tab characters must not be used in indentation',
    ],
    [
      'given an alias inside its own value',
      `${configMap}data: &d\n  x: *d\n`,
      's:6: an alias (*name) refers to a value that contains it',
    ],
    [
      'given a number without a JSON form',
      `${configMap}x: .inf\n`,
      's:5: the number .inf has no form in JSON; put it in quotes if text is meant',
    ],
    ['given null as a name', `${configMap}~: 1\n`, 's:5: null cannot be a name; put it in quotes'],
    ['given an undefined alias', `${configMap}x: *y\n`, 's:5:6: not valid YAML: unidentified alias "y"'],
    ['given a name without a colon', `${configMap}x\n`, 's:5: not valid YAML: a name without ":" after it'],
  ])('%s', async (_, text, expected) => {
    expect(await problem(text)).toBe(expected);
  });

  test('given aliases that expand to over 1,000,000 values', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]\n`);
    expect(await problem(`${configMap}a0: &a0 [x]\n${levels.join('')}`)).toMatch(
      /^s:\d+: its aliases \(\*name\) multiply to over 1000000 values/,
    );
  });

  test('given a list that is truncated after a whole item', async () => {
    const entry = '- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n';
    expect(await problem(`apiVersion: v1\nitems:\n${entry}`)).toBe(
      's:1: the list that begins here has no kind behind its items; if the file is truncated, write it again',
    );
  });
});

test('a state that is not UTF-8 is refused with its line', async () => {
  const json = Buffer.from('{"apiVersion":"v1",\n"kind":"?"}');
  json[json.indexOf('?')] = 0xff;
  expect(await problem(json)).toBe('s:2: not valid UTF-8; write the file again as UTF-8');
  const yaml = Buffer.from('apiVersion: v1\nkind: Pod\nmetadata: {name: "?"}\n');
  yaml[yaml.indexOf('?')] = 0xff;
  expect(await problem(yaml)).toBe('s:3: not valid UTF-8; write the file again as UTF-8');
});

test('a manifest that is not UTF-8 is refused with its line', async () => {
  const text = Buffer.concat([
    Buffer.from('\n\napiVersion: v1\nkind: "'),
    Buffer.from([0xff]),
    Buffer.from('"\n'),
  ]);
  await expect(readManifests({ files: ['-'] }, () => [text])).rejects.toThrow(
    /^stdin:4:1: not valid UTF-8; write the file again as UTF-8$/,
  );
});

test('a Work is refused if a manifest has no metadata', async () => {
  const manifests = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: null }];
  const work = {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'a', namespace: 'karmada-es-one' },
    spec: { workload: { manifests } },
  };
  expect(await problem(Buffer.from(JSON.stringify(work)))).toMatch(
    /^s:1:\d+: Work karmada-es-one\/a: spec\.workload\.manifests\[0\]\.metadata: is missing/,
  );
});

describe('input that is not a Kubernetes object is refused', () => {
  const wanted = 'give the output of kubectl get -o json|yaml';
  test.each([
    ['hello', `s: not a Kubernetes object: it begins with neither apiVersion nor kind; ${wanted}`],
    [
      'NAME   READY\nweb    True\n',
      `s: not a Kubernetes object: it begins with neither apiVersion nor kind; ${wanted}`,
    ],
    [
      'a: b\n'.repeat(100_000),
      `s: not a Kubernetes object: it begins with neither apiVersion nor kind; ${wanted}`,
    ],
    ['{"name": "web"}', `s:1:1: no apiVersion, so not a Kubernetes object; ${wanted}`],
    ['{"apiVersion": "v1", "kind": "Pod"}', `s:1:1: Pod: metadata is missing; ${wanted}`],
    ['{"apiVersion": "v1", "kind": "Pod", "metadata": {}}', 's:1:1: Pod: metadata.name is missing'],
    [
      '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 5}}',
      's:1:1: Pod: metadata.name is a number, expected a name',
    ],
    ['kind: Config\napiVersion: v1\nclusters: []\n', `s:1:1: Config: metadata is missing; ${wanted}`],
    [
      '{"apiVersion": "v1", "kind": "Status", "status": "Failure", "message": "Unauthorized"}',
      's:1: is an error of the API server: Unauthorized; run the command again',
    ],
    [
      '{"apiVersion": "meta.k8s.io/v1", "kind": "Table", "rows": []}',
      's:1: is a Table, which holds no whole objects; use kubectl get -o json or -o yaml',
    ],
    [
      '{"type": "ADDED", "object": {}}',
      's:1: is a watch event, not a state; give the output of kubectl get -o json',
    ],
    ['{"apiVersion": "v1", "kind": "List", "items": "x"}', 's:1: List: items is a string, expected a list'],
    [
      '{"apiVersion": "v1", "kind": "Foo", "items": [{}]}',
      `s:1: items[0] has no kind, so not a Kubernetes object; ${wanted}`,
    ],
  ])('given %j', async (text, expected) => {
    expect(await problem(text)).toBe(expected);
  });
});

describe('an object that occurs twice', () => {
  const place = (name: string, ...objects: object[]) => files.write(name, listOf(...objects));
  const versioned = (resourceVersion: string, replicas: number) => ({
    ...binding('web', { replicas }),
    metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion },
  });

  test('is kept once if both are equal or have the same version', async () => {
    const a = place('a.json', binding('web', { replicas: 1 }), binding('web', { replicas: 1 }));
    expect((await load(a)).world.bindings).toHaveLength(1);
    const paths = [place('b.json', versioned('7', 1)), place('c.json', versioned('7', 1))];
    expect((await load(...paths)).world.bindings).toHaveLength(1);
  });

  test('is refused with both places if the contents differ', async () => {
    const paths = [
      place('a.json', versioned('7', 1)),
      place('b.json', object('Cluster', 'x'), versioned('8', 2)),
    ];
    expect(await problemOf(files, ...paths)).toBe(
      `b.json:12: ResourceBinding shop/web is also in a.json, line 4, with other content (resourceVersion 7 and 8); give one state only, and apply changes to it as manifests`,
    );
    expect(await problemOf(files, place('c.json', binding('web'), binding('web', { replicas: 1 })))).toBe(
      `c.json:20: ResourceBinding shop/web is also in line 4, with other content; give one state only, and apply changes to it as manifests`,
    );
  });

  test('in one list in two versions is read in the newer version, with a warning', async () => {
    for (const versions of [
      ['9', '10'],
      ['10', '9'],
    ]) {
      const list = versions.map((version) => versioned(version, Number(version)));
      const { world, warnings } = await load(place('a.json', ...list, binding('other')));
      expect(world.bindings.map(({ spec }) => spec.replicas)).toEqual([10, undefined]);
      expect(warnings[0]).toMatch(
        /a\.json: ResourceBinding shop\/web is listed twice \(resourceVersion \d+ and \d+\): it changed while the list was read; the newer one counts$/,
      );
    }
  });

  test('in a recording and a file is refused with both files', async () => {
    const components = { commandLines: [], versions: [], warnings: [] };
    const started = '2026-09-01T10:00:00.000Z';
    const rows = [
      { kind: 'Recording', schemaVersion: 'v1', started, components, warnings: [] },
      { object: versioned('7', 1) },
      { complete: 1 },
      { at: started, end: 'over' },
    ];
    const recording = files.write('d.rec', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const other = place('e.json', versioned('8', 2));
    // which moment of a recording applies is known once all files are read
    expect(await problemOf(files, recording, other)).toContain(
      'd.rec: ResourceBinding shop/web is also in e.json, line 4, with other content (resourceVersion 8 and 7)',
    );
  });
});

describe('an error names the line and column of an invalid field', () => {
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ü€𝄞' } },
      {
        apiVersion: 'work.karmada.io/v1alpha2',
        kind: 'ResourceBinding',
        metadata: { name: 'web', namespace: 'shop' },
        spec: {
          resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          clusters: [{ name: 'm1' }, { name: 'm2', replicas: '3' }],
        },
      },
    ],
  };
  const said = 'ResourceBinding shop/web: spec.clusters[1].replicas: "3" is a string, expected an integer';
  const placeIn = (text: string) => {
    const lines = text.split('\n');
    const line = lines.findIndex((one) => /"?replicas"?:/.test(one));
    return `${line + 1}:${lines[line]!.search(/"?replicas"?:/) + 1}`;
  };
  const pretty = JSON.stringify(list, null, 2);
  const yaml = dump(list);

  test.each([
    ['in JSON', pretty],
    ['in JSON on one line', JSON.stringify({ ...list, items: list.items.slice(1) })],
    ['in YAML', yaml],
    ['in YAML with a comment', yaml.replace('kind: List', 'kind: List # a comment')],
    ['in YAML with a tag', yaml.replace('name: web\n', 'name: !!str web\n')],
    ['in YAML of one object', dump(list.items[1])],
    ['in the second document', `${dump(list.items[0])}---\n${dump(list.items[1])}`],
  ])('%s', async (_, text) => {
    expect(await problem(text)).toBe(`s:${placeIn(text)}: ${said}`);
  });
});
