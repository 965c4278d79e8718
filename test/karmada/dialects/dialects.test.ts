import { describe, expect, test } from '@jest/globals';
import { dialectOf, knownProposals } from '../../../src/karmada/dialects/dialects.ts';
import { valueAt, releasesText, type History, type Values } from '../../../src/karmada/dialects/history.ts';
import { parseVersion, releaseOf } from '../../../src/karmada/dialects/release.ts';
import { switches } from '../../../src/karmada/dialects/rules.ts';

describe('a version', () => {
  test.each([
    ['v1.17.3', { major: 1, minor: 17, patch: 3 }],
    ['1.18', { major: 1, minor: 18 }],
    [' v1.18.0-rc.1 ', { major: 1, minor: 18, patch: 0, preRelease: 'rc.1' }],
    ['v1.19.0-beta.0-35-gf8fdd02df', { major: 1, minor: 19, patch: 0, preRelease: 'beta.0-35-gf8fdd02df' }],
    ['v1.18.2+build.7', { major: 1, minor: 18, patch: 2 }],
    ['latest', undefined],
    ['v1', undefined],
    ['v1.18.x', undefined],
  ])('is parsed from %j as %j', (text, parsed) => {
    expect(parseVersion(text)).toEqual(parsed);
  });

  test.each([
    ['v1.17.3', 'v1.17.3'],
    ['1.17', 'v1.17'],
    ['v1.10.0', 'v1.10.0'],
    ['v1.10.11', 'v1.10.11'],
    ['v1.18.2', 'v1.18.2'],
    ['head', 'v1.19'],
    ['v1.19.0', 'v1.19'],
    ['v1.19.0-rc.0', 'v1.19'],
  ])('has its own dialect: %s → %s', (version, dialect) => {
    expect(dialectOf(version)).toMatchObject({ dialect: { version: dialect }, exact: true });
  });

  test.each([
    ['v1.9.4', 'v1.9.4 is older than v1.10; answers follow v1.10.0'],
    ['v0.8', 'v0.8 is older than v1.10; answers follow v1.10.0'],
    ['v1.20.1', 'v1.20.1 is newer than v1.19; answers follow v1.19'],
    ['v2.0.0', 'v2.0.0 is newer than v1.19; answers follow v1.19'],
    ['v1.18.99', 'v1.18.99 is newer than v1.18.2; answers follow v1.18.2'],
    ['v1.18.3-alpha.1', 'v1.18.3-alpha.1 is newer than v1.18.2; answers follow v1.18.2'],
    ['v1.10.12', 'v1.10.12 is newer than v1.10.11; answers follow v1.10.11'],
    ['v1.19.1', 'v1.19.1 is newer than v1.19.0; answers follow v1.19'],
    ['v1.18.0-rc.1', 'v1.18.0-rc.1 is a pre-release; answers follow v1.18.0'],
    ['latest', 'latest is not a version of Karmada; answers follow v1.18'],
  ])('uses the nearest dialect if it has no dialect of its own: %s', (version, note) => {
    expect(dialectOf(version)).toMatchObject({ exact: false, note });
  });

  test.each([
    ['proposal', ['optimize-cluster-failover']],
    [
      'proposal+application-failover+configurable-cluster-failover',
      ['optimize-cluster-failover', 'configurable-cluster-failover', 'application-failover'],
    ],
  ])('adds the designs in its name to the newest release: %s', (version, designs) => {
    expect(dialectOf(version)).toMatchObject({
      dialect: { release: { ...dialectOf('v1.18').dialect.release, designs } },
      exact: true,
    });
  });

  test.each(knownProposals)('names the dialect of a known proposal: %s', (version) => {
    expect(dialectOf(version).dialect.version).toBe(version);
  });

  test('has no dialect if it names an unknown option of the proposal', () => {
    expect(dialectOf('proposal+drain')).toMatchObject({ exact: false });
  });

  test('without a patch number behaves like its newest patch release', () => {
    expect(dialectOf('v1.17').dialect.rules).toEqual(dialectOf('v1.17.5').dialect.rules);
    expect(dialectOf('v1.17').dialect.rules).not.toEqual(dialectOf('v1.17.0').dialect.rules);
  });
});

describe('the history of a switch', () => {
  const values: Values<string> = [
    { value: 'old' },
    { since: ['v1.16.8', 'v1.17.5', 'v1.18.2'], value: 'backported' },
    { since: ['v1.20.0'], value: 'newest' },
  ];

  test.each([
    ['v1.15.9', 'old'],
    ['v1.16.7', 'old'],
    ['v1.16.8', 'backported'],
    ['v1.17.4', 'old'],
    ['v1.17.5', 'backported'],
    ['v1.18.1', 'old'],
    ['v1.18.2', 'backported'],
    ['v1.19.0', 'backported'],
    ['v1.20.0', 'newest'],
  ])('has at %s the value %s', (release, value) => {
    expect(valueAt({ values }, releaseOf(release))).toBe(value);
  });

  test('describes the releases of a value in words', () => {
    expect(releasesText(values, (value) => value === 'backported')).toBe(
      'from v1.16.8, v1.17.5 and v1.18.2 on, before v1.20.0',
    );
    expect(releasesText(values, (value) => value === 'old')).toBe('before v1.16.8, v1.17.5 and v1.18.2');
  });
});

describe('the history of a switch with designs', () => {
  const history = {
    values: [{ value: 'old' }, { since: ['v1.14.0'], value: 'shipped' }],
    designs: { 'optimize-cluster-failover': 'designed', 'application-failover': 'option' },
  } satisfies History<string>;

  test.each<[string, string]>([
    ['v1.18', 'shipped'],
    ['proposal', 'designed'],
    ['proposal+configurable-cluster-failover', 'designed'],
    ['proposal+application-failover', 'option'],
  ])('has for %s the value %s', (version, value) => {
    expect(valueAt(history, dialectOf(version).dialect.release)).toBe(value);
  });
});

describe('every switch', () => {
  const all = Object.entries(switches).flatMap(([room, ofRoom]) =>
    Object.entries(ofRoom).map(([name, one]) => [`${room}.${name}`, one] as const),
  );

  test.each(all)(
    'has a one-line description and a history without repeated values: %s',
    (_, { decides, values }) => {
      expect(decides).toMatch(/^[^\n]{10,}[^.]$/);
      let previous: unknown = values[0].value;
      for (const { since, value } of values.slice(1) as { since: string[]; value: unknown }[]) {
        expect(value).not.toEqual(previous);
        previous = value;
        const minors = since.map((release) => releaseOf(release).minor);
        // each minor version between the first and the last has its own first release
        expect(minors).toEqual(minors.map((_, index) => minors[0]! + index));
      }
    },
  );
});
