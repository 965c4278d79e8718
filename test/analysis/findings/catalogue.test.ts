import { describe, expect, test } from '@jest/globals';
import { catalogue, fileChecks, riskChecks } from '../../../src/analysis/findings/catalogue.ts';
import * as changes from '../../../src/analysis/findings/policies/changeChecks.ts';
import { policyChecks } from '../../../src/analysis/findings/policies/policyChecks.ts';

const ids = catalogue.map(({ id }) => id);

describe('the catalogue of checks', () => {
  test('has unique ids in lower case with hyphens', () => {
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
  });

  test('has a title, a remedy and the inputs of each check', () => {
    const untold = catalogue.filter(
      ({ title, help, needs }) => title === '' || !help.endsWith('.') || needs.length === 0,
    );
    expect(untold.map(({ id }) => id)).toEqual([]);
  });

  test('contains all checks of policies and of policy changes', () => {
    const ofChanges = Object.values(changes).filter((one) => typeof one === 'object');
    expect(ofChanges.length).toBeGreaterThan(5);
    expect(new Set([...policyChecks, ...ofChanges])).toEqual(new Set(riskChecks));
  });

  test('has checks for files, which need no clusters', () => {
    expect(fileChecks.map(({ id }) => id)).toContain('never-removed');
    expect(fileChecks.filter(({ needs }) => needs.includes('Cluster'))).toEqual([]);
    expect(fileChecks.map(({ id }) => id)).not.toContain('policies-dead');
  });
});
