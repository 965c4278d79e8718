import { describe, expect, test } from '@jest/globals';
import { matchWindow } from '../../../../src/karmada/taints/windows/matchWindow.ts';
import { missingBeginning } from '../../../../src/karmada/taints/windows/missingBeginning.ts';
import { at, clusterWith, windowPolicy } from './windows.ts';

/** What a look without memory does not know about the start of its window. */
const missing = (wanted: string[], conditions: string[]) =>
  missingBeginning(matchWindow(windowPolicy(wanted, []), clusterWith(conditions), undefined, at(100)), 'm1');
const UNDATED = (type: string) => `lastTransitionTime of the condition ${type} of m1: add it to the state`;
const EARLIER = (word: string, type: string) =>
  `what karmada-controller-manager has in memory about m1: the ${word} may have begun before the last transition of ${type}`;

describe('the start of a window is known', () => {
  test.each<[string, string[], string[]]>([
    ['if only the current status of the condition matches', ['Ready In False'], ['Ready=False@70']],
    ['if only the current status of the condition mismatches', ['Ready In False Unknown'], ['Ready=True@70']],
    ['without matchConditions', [], ['Ready=False@70']],
    [
      'for a mismatch, whatever the earlier status of matching conditions',
      ['Ready In False Unknown', 'Disk In False Unknown'],
      ['Ready=False@70', 'Disk=True@80'],
    ],
    [
      'for a mismatch, even if matching conditions have no time',
      ['Ready In False', 'Disk In False Unknown'],
      ['Ready=False', 'Disk=True@80'],
    ],
  ])('%s', (_what, wanted, conditions) => {
    expect(missing(wanted, conditions)).toBeUndefined();
  });
});

describe('the start of a window is unknown', () => {
  test.each<[string, string[], string[], string]>([
    [
      'for a match, if another status of the condition matches too',
      ['Ready In False Unknown'],
      ['Ready=False@70'],
      EARLIER('match', 'Ready'),
    ],
    [
      'for a mismatch, if another status of the condition mismatches too',
      ['Ready In False'],
      ['Ready=True@70'],
      EARLIER('mismatch', 'Ready'),
    ],
    [
      'because of the only condition that may have changed within its match',
      ['Ready In False', 'Disk In True Unknown'],
      ['Ready=False@70', 'Disk=True@80'],
      EARLIER('match', 'Disk'),
    ],
    ['if a condition has no time', ['Ready In False'], ['Ready=False'], UNDATED('Ready')],
    ['if a condition is missing', ['Ready In False'], [], UNDATED('Ready')],
    [
      'because of a condition without a time, before all other reasons',
      ['Ready In False Unknown', 'Disk In True'],
      ['Ready=False@70', 'Disk=True'],
      UNDATED('Disk'),
    ],
  ])('%s', (_what, wanted, conditions, expected) => {
    expect(missing(wanted, conditions)).toBe(expected);
  });

  test('unless one of two conditions with the same type has a time', () => {
    expect(missing(['Ready In False'], ['Ready=False', 'Ready=False@70'])).toBeUndefined();
  });
});
