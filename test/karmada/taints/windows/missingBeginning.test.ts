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

describe('the beginning of a window is reported by the conditions', () => {
  test.each<[string, string[], string[]]>([
    ['if only the status that a condition has matches', ['Ready In False'], ['Ready=False@70']],
    ['if only the status that a condition has does not', ['Ready In False Unknown'], ['Ready=True@70']],
    ['if no condition is wanted', [], ['Ready=False@70']],
    [
      'of a mismatch, whatever those that hold looked like before',
      ['Ready In False Unknown', 'Disk In False Unknown'],
      ['Ready=False@70', 'Disk=True@80'],
    ],
    [
      'of a mismatch, even if those that hold have no time',
      ['Ready In False', 'Disk In False Unknown'],
      ['Ready=False', 'Disk=True@80'],
    ],
  ])('%s', (_what, wanted, conditions) => {
    expect(missing(wanted, conditions)).toBeUndefined();
  });
});

describe('it is not', () => {
  test.each<[string, string[], string[], string]>([
    [
      'if another status matches, too: the condition may have had that before',
      ['Ready In False Unknown'],
      ['Ready=False@70'],
      EARLIER('match', 'Ready'),
    ],
    [
      'of a mismatch, if another status does not match either',
      ['Ready In False'],
      ['Ready=True@70'],
      EARLIER('mismatch', 'Ready'),
    ],
    [
      'by the condition alone that may have changed within its match',
      ['Ready In False', 'Disk In True Unknown'],
      ['Ready=False@70', 'Disk=True@80'],
      EARLIER('match', 'Disk'),
    ],
    ['if a condition has no time', ['Ready In False'], ['Ready=False'], UNDATED('Ready')],
    ['if a condition is not there', ['Ready In False'], [], UNDATED('Ready')],
    [
      'and of a condition without a time that is said first',
      ['Ready In False Unknown', 'Disk In True'],
      ['Ready=False@70', 'Disk=True'],
      UNDATED('Disk'),
    ],
  ])('%s', (_what, wanted, conditions, expected) => {
    expect(missing(wanted, conditions)).toBe(expected);
  });

  test('but a type that is there twice, once with a time, is', () => {
    expect(missing(['Ready In False'], ['Ready=False', 'Ready=False@70'])).toBeUndefined();
  });
});
