import { afterAll, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';
import { load, problemOf, TemporaryFiles } from './temporaryFiles.ts';
import { countOperations } from '../fuzz/operations.ts';

const files = new TemporaryFiles();
afterAll(() => files.remove());

const cluster = (name: string) =>
  JSON.stringify({ apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', metadata: { name } });

/** An archive of the entries, with any headers. */
async function archive(
  entries: [header: Partial<Header> & { name: string }, content?: string | Buffer][],
): Promise<Buffer> {
  const packed = pack();
  for (const [header, content] of entries) packed.entry(header, content ?? '');
  packed.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of packed) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** A header of any type, as no tool writes it, and its content. */
function raw(
  type: string,
  name: string,
  content: Buffer | string,
  size = Buffer.byteLength(content),
): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.from(content);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}
/** "13 path=a.json" and a line break: the length includes itself. */
const record = (name: string, value: string) => {
  const text = ` ${name}=${value}\n`;
  const length = [1, 2, 3]
    .map((digits) => text.length + digits)
    .find((one) => `${one}`.length + text.length === one);
  return `${length}${text}`;
};
const END = Buffer.alloc(1024);

describe('a tar archive', () => {
  test('may contain files with any path', async () => {
    const { world, origins } = await load(
      files.write(
        'paths.tar',
        await archive([
          [{ name: '/etc/absolute.json' }, cluster('m1')],
          [{ name: '../../up.json' }, cluster('m2')],
          [{ name: `${'deep/'.repeat(60)}long.json` }, cluster('m3')],
          [{ name: 'names/ü.json' }, cluster('m4')],
        ]),
      ),
    );
    expect(world.clusters.map(({ metadata }) => metadata.name)).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect(origins[2]!.name).toMatch(/deep\/long\.json$/);
  });

  test('may contain links, devices and directories, which are skipped', async () => {
    const { world } = await load(
      files.write(
        'links.tar',
        await archive([
          [{ name: 'passwd.json', type: 'symlink', linkname: '/etc/passwd' }],
          [{ name: 'hard.json', type: 'link', linkname: 'm1.json' }],
          [{ name: 'null.json', type: 'character-device', devmajor: 1, devminor: 3 }],
          [{ name: 'pipe.json', type: 'fifo' }],
          [{ name: 'folder.json', type: 'directory' }],
          [{ name: 'm1.json' }, cluster('m1')],
        ]),
      ),
    );
    expect(world.clusters).toHaveLength(1);
  });

  test('may have the size and path of a file in an extended header', async () => {
    const content = cluster('m1');
    const header = record('size', String(content.length)) + record('path', 'named/by/pax.json');
    const path = files.write(
      'pax.tar',
      Buffer.concat([raw('x', 'x', header), raw('0', 'short', content, 0), END]),
    );
    const { world, origins } = await load(path);
    expect(world.clusters).toHaveLength(1);
    expect(origins[0]!.name).toMatch(/named\/by\/pax\.json$/);
  });

  test.each([
    ['text as size', raw('x', 'x', record('size', 'much')), 'is damaged; pack it again'],
    ['a negative size', raw('x', 'x', record('size', '-512')), 'is damaged; pack it again'],
    [
      'a size beyond its end',
      raw('x', 'x', record('size', '99999999999999')),
      'is truncated; copy or pack it again',
    ],
    ['a header above the maximum size', raw('x', 'x', 'x', 2 ** 30), 'is damaged; pack it again'],
  ])('with %s is refused in one line', async (_, header, problem) => {
    const path = files.write(
      's.tar',
      Buffer.concat([header, raw('0', 'a.json', `${cluster('m1')}\n`.repeat(30))]),
    );
    expect(await problemOf(files, path)).toMatch(
      new RegExp(`^s\\.tar(:a\\.json)?: the tar archive ${problem}$`),
    );
  });

  test('with over 1000 names in a global header is refused without a copy for each file', async () => {
    const many = (names: number) => Array.from({ length: names }, (_, at) => record(`n${at}`, 'x')).join('');
    const of = (names: number) =>
      files.write(
        's.tar',
        Buffer.concat([
          raw('g', 'g', many(names)),
          ...Array.from({ length: 50 }, () => raw('x', 'x', record('path', 'a.json'))),
          raw('0', 'a.json', cluster('m1')),
          END,
        ]),
      );
    expect((await load(of(20))).world.clusters).toHaveLength(1);
    const path = of(20_000);
    let problem = '';
    const { builtIn } = await countOperations(async () => void (problem = await problemOf(files, path)));
    expect(problem).toBe('s.tar: the tar archive has over 1000 names in its global header; pack it again');
    expect(builtIn).toBeLessThan(20_000 * 50);
  });
});

describe('a compressed state that expands excessively', () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from('['), Buffer.alloc(60_000_000, '{},')]), { level: 9 });
  const blanks = gzipSync(Buffer.alloc(40_000_000, ' \n'));
  const noise = { name: 'a', annotations: { noise: 'x'.repeat(40_000_000) } };
  const strings = gzipSync(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: noise }));

  test.each([
    [
      'empty items',
      bomb,
      's.json.gz:1: items[0] has no kind, so not a Kubernetes object; give the output of kubectl get -o json|yaml',
    ],
    [
      'only blanks',
      blanks,
      's.json.gz: unpacks to more than 250 times its size; unpack it first if you trust it',
    ],
    [
      'a repeated letter',
      strings,
      's.json.gz: unpacks to more than 250 times its size; unpack it first if you trust it',
    ],
    [
      'a state compressed twice',
      gzipSync(strings),
      's.json.gz: unpacks to more than 250 times its size; unpack it first if you trust it',
    ],
  ])('is refused in one line, given %s', async (_, content, problem) => {
    expect(await problemOf(files, files.write('s.json.gz', content))).toBe(problem);
  });
});
