import { beforeAll, describe, expect, test } from '@jest/globals';
import { stateChecks } from '../../../../src/analysis/findings/state/stateCatalogue.ts';
import type { DiagnosedControlPlane } from '../../../../src/analysis/findings/state/diagnose.ts';
import { dialectOf, newestReleases } from '../../../../src/karmada/dialects/dialects.ts';
import { hasBug, knownBugs, type KnownBugId } from '../../../../src/karmada/dialects/knownBugs.ts';
import { diagnosed } from './diagnosed.ts';
import { exampleOf, examples } from './examples/examples.ts';
import { changed } from './healthyWorld.ts';

describe('the checks of a control plane', () => {
  let healthy: DiagnosedControlPlane;
  beforeAll(async () => {
    healthy = await diagnosed(changed({}));
  });

  test('are at least 60, each with a unique id, a help text, and symptoms from logs or Events', () => {
    const ids = stateChecks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(60);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
    const poor = stateChecks.filter(
      ({ title, help, symptoms, needs }) =>
        !title || !help.endsWith('.') || symptoms.length === 0 || needs.length === 0,
    );
    expect(poor.map(({ id }) => id)).toEqual([]);
  });

  test('have an example each, and no other examples exist', () =>
    expect(Object.keys(examples).sort()).toEqual(stateChecks.map(({ id }) => id).sort()));

  test('find nothing in a healthy control plane, which has all their inputs', () => {
    expect(healthy.findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
    expect(healthy.unchecked.map(({ checks, why }) => `${checks.join()}: ${why}`)).toEqual([]);
    expect(healthy.passed).toEqual(expect.arrayContaining(stateChecks.map(({ id }) => id)));
  });

  test.each(newestReleases)('find no error in a healthy control plane of %s', async (version) => {
    const { findings } = await diagnosed(changed({ version }));
    expect(findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
  });

  test.each(stateChecks.map(({ id }) => [id, exampleOf(id)] as const))(
    'include %s, which finds the problem of its example with evidence and a remedy',
    async (id, example) => {
      const { findings } = await diagnosed(changed(example), { only: [id] });
      const found = findings.filter(({ check }) => check === id);
      expect(found.length).toBeGreaterThan(0);
      expect(found[0]!.evidence.length).toBeGreaterThan(0);
      expect(found[0]!.message).not.toMatch(/undefined|\[object/);
    },
  );

  const mended = (Object.keys(knownBugs) as KnownBugId[]).flatMap((id) => {
    const example = exampleOf(id);
    const minor = example.version?.replace(/\d+$/, '');
    const newest = newestReleases.find((one) => one.startsWith(minor!));
    // what no patch release fixes, the next minor release does
    return newestReleases
      .filter((one) => !hasBug(id, dialectOf(one).dialect.release) && one >= newest!)
      .slice(0, 1)
      .map((version) => [id, version, example] as const);
  });

  test('include at least 30 bugs with the release that fixes them', () =>
    expect(mended.length).toBeGreaterThanOrEqual(30));

  test.each(mended)('include %s, which finds nothing in its example in %s', async (id, version, example) => {
    const { findings } = await diagnosed(changed({ ...example, version }), { only: [id] });
    expect(findings.map(({ message }) => message)).toEqual([]);
  });
});
