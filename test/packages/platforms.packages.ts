import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { EXECUTABLE, packaged, unpack } from './release.ts';

const folder = mkdtempSync(join(tmpdir(), 'platforms-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The machine in an executable's header, in each format's notation. */
function machineOf(file: Buffer): string {
  if (file.readUInt32BE(0) === 0x7f454c46)
    return `ELF ${{ 62: 'amd64', 183: 'arm64' }[file.readUInt16LE(18)]}`;
  if (file.readUInt32LE(0) === 0xfeedfacf)
    return `Mach-O ${{ 0x01000007: 'amd64', 0x0100000c: 'arm64' }[file.readUInt32LE(4)]}`;
  const pe = file.readUInt32LE(0x3c);
  expect(file.toString('latin1', pe, pe + 4)).toBe('PE\0\0');
  return `PE ${{ 0x8664: 'amd64', 0xaa64: 'arm64' }[file.readUInt16LE(pe + 4)]}`;
}

/** Whether each page hash in a Mach-O signature matches; fails unless the signature covers everything before it. */
function signedPages(file: Buffer): boolean[] {
  let at = 32;
  while (file.readUInt32LE(at) !== 0x1d) at += file.readUInt32LE(at + 4);
  const offset = file.readUInt32LE(at + 8);
  expect(offset + file.readUInt32LE(at + 12)).toBe(file.length);
  const directory = file.subarray(offset + file.readUInt32BE(offset + 16));
  expect(directory.readUInt32BE(0)).toBe(0xfade0c02);
  const limit = directory.readUInt32BE(32);
  expect(limit).toBe(offset);
  const [hashSize, sha256, , pageBits] = directory.subarray(36, 40);
  expect([hashSize, sha256]).toEqual([32, 2]);
  const pageSize = 2 ** pageBits!;
  return Array.from({ length: directory.readUInt32BE(28) }, (_, page) => {
    const hash = directory.subarray(directory.readUInt32BE(16) + page * 32).subarray(0, 32);
    const signed = file.subarray(page * pageSize, Math.min((page + 1) * pageSize, limit));
    return createHash('sha256').update(signed).digest().equals(hash);
  });
}

describe.each([
  ['linux-amd64', 'ELF amd64'],
  ['linux-arm64', 'ELF arm64'],
  ['darwin-amd64', 'Mach-O amd64'],
  ['darwin-arm64', 'Mach-O arm64'],
  ['windows-amd64', 'PE amd64'],
  ['windows-arm64', 'PE arm64'],
])('the archive for %s', (platform, machine) => {
  const place = join(folder, platform);
  const name = platform.startsWith('windows') ? `${EXECUTABLE}.exe` : EXECUTABLE;

  test(`contains an executable for its platform with the bundle, in at most 70 MB`, () => {
    unpack(platform, place);
    expect(readdirSync(place).sort()).toEqual(
      ['LICENSE', 'README.md', 'THIRD-PARTY', 'examples', name].sort(),
    );
    expect(readFileSync(packaged(platform)).length).toBeLessThan(70_000_000);
    const file = readFileSync(join(place, name));
    expect(machineOf(file)).toBe(machine);
    // a help text, which only our code contains
    expect(file.includes('$ kubectl karmada-failover [COMMAND]')).toBe(true);
    expect(file.includes('gracefulEvictionTasks')).toBe(true);
  });

  if (machine.startsWith('Mach-O'))
    test('has a valid signature, which macOS requires', () => {
      const pages = signedPages(readFileSync(join(place, name)));
      expect(pages.length).toBeGreaterThan(20_000);
      expect(pages.filter((fits) => !fits)).toEqual([]);
    });
});
