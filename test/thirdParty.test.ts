import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
const sections = read('dist/THIRD-PARTY').split(`\n${'-'.repeat(80)}\n`);

describe('dist/THIRD-PARTY', () => {
  test.each(Object.entries(dependencies))('contains the licence of %s %s', (name, version) => {
    const section = sections.find((text) => text.startsWith(`${name} ${version} (`));
    // the one package that does not state it
    if (name === 'yoga-layout')
      expect(section).toMatch(/\(MIT\)\n\nThe package holds no text of it; see \S+yoga/);
    else
      expect(section).toMatch(
        /permission is hereby granted|permission to use|redistribution and use|apache license/i,
      );
  });

  test('contains the licences of their dependencies', () => {
    expect(sections.length).toBeGreaterThan(Object.keys(dependencies).length);
    // React's rendering package
    expect(sections.some((text) => text.startsWith('react-reconciler '))).toBe(true);
  });
});
