import { describe, expect, test } from '@jest/globals';
import type { DrainOptionFlags } from '../../../src/cli/drain/drainFlags.ts';
import { drainOptionsFromFlags, flagsOfOptions } from '../../../src/cli/drain/drainOptions.ts';
import { drainOf } from '../../analysis/drain/drainOf.ts';

const from = (flags: DrainOptionFlags) => drainOptionsFromFlags(['frankfurt'], flags);

test('a drain without flags evicts gracefully at the rate of the proposal, and accepts no risk', () => {
  expect(from({})).toEqual({ warnings: [], options: drainOf(['frankfurt']) });
});

test('a repeated cluster is ignored', () => {
  expect(drainOptionsFromFlags(['a', 'b', 'a'], {}).options.clusters).toEqual(['a', 'b']);
});

test('drain flags accept the spellings of kubectl and Karmada', () => {
  const { options, warnings } = from({
    'purge-mode': 'gracefully',
    hold: false,
    'grace-period': '90',
    selector: 'app=cart',
    namespace: 'shop',
    kind: ['deploy'],
    skip: ['shop/deployment/cart', 'sts/ledger'],
    'max-concurrent': '3',
    'eviction-rate': '2.5',
  });
  expect(warnings).toEqual([]);
  expect(options).toMatchObject({
    purgeMode: 'Gracefully',
    hold: false,
    gracePeriodSeconds: 90,
    selection: {
      namespace: 'shop',
      kinds: ['deploy'],
      skip: ['shop/deployment/cart', 'sts/ledger'],
      labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['cart'] }] },
    },
    pace: { evictionRate: 2.5, maxConcurrent: 3 },
  });
  expect(from({ hold: false, 'grace-period': '5m' }).options.gracePeriodSeconds).toBe(300);
  expect(from({ 'grace-period': '-1' })).toEqual(from({}));
});

test('a drain with --method=taint or --purge-mode=Directly holds no old copy', () => {
  expect(from({ method: 'taint' }).options.hold).toBe(false);
  expect(from({ 'purge-mode': 'Directly' }).options.hold).toBe(false);
});

describe('drain options warn of a flag without effect', () => {
  test.each<[DrainOptionFlags, string]>([
    [{ 'grace-period': '60' }, '--grace-period has no effect on evictions that are held; it needs --no-hold'],
    [
      { 'grace-period': '60', 'purge-mode': 'Directly' },
      '--grace-period has no effect with --purge-mode=Directly, which waits for nothing',
    ],
    [
      { method: 'taint', 'purge-mode': 'Directly' },
      "--purge-mode has no effect with --method=taint: the flags of Karmada's taint manager decide",
    ],
    [
      { method: 'taint', 'grace-period': '60' },
      "--grace-period has no effect with --method=taint: the flags of Karmada's taint manager decide",
    ],
  ])('%j', (flags, warning) => {
    const { options, warnings } = from(flags);
    expect(warnings).toEqual([warning]);
    expect(options.gracePeriodSeconds).toBeUndefined();
  });
});

describe('drain options reject an invalid value with the name of its flag', () => {
  test.each<[DrainOptionFlags, string]>([
    [{ method: 'evcit' }, '--method "evcit" is not known, did you mean evict?'],
    [{ 'purge-mode': 'never' }, '--purge-mode "never" is not known; choose from Gracefully, Directly'],
    [{ 'eviction-rate': '0' }, '--eviction-rate "0" is not a number from 0.00001 to 100000'],
    [{ 'eviction-rate': 'fast' }, '--eviction-rate "fast" is not a number from 0.00001 to 100000'],
    [{ 'eviction-rate': '' }, '--eviction-rate "" is not a number from 0.00001 to 100000'],
    [{ 'eviction-rate': 'Infinity' }, '--eviction-rate "Infinity" is not a number from 0.00001 to 100000'],
    [{ 'eviction-rate': '1e308' }, '--eviction-rate "1e308" is not a number from 0.00001 to 100000'],
    [{ 'eviction-rate': '0x10' }, '--eviction-rate "0x10" is not a number from 0.00001 to 100000'],
    [
      { 'max-concurrent': '1e308' },
      '--max-concurrent "1e308" is not a whole number from 1 to 9007199254740991',
    ],
    [
      { 'unhealthy-cluster-threshold': '55' },
      '--unhealthy-cluster-threshold "55" is not a share from 0 to 1',
    ],
    [{ 'max-concurrent': '1.5' }, '--max-concurrent "1.5" is not a whole number, 1 or more'],
    [{ 'grace-period': 'soon' }, '--grace-period: "soon" is not a duration such as 90s or 5m'],
    [{ 'grace-period': '0' }, '--grace-period "0" is not a whole number of seconds from 1 to 2147483647'],
    [
      { 'grace-period': '99999999999' },
      '--grace-period "99999999999" is more seconds than a duration holds; give at most 9223372036',
    ],
    [
      { 'grace-period': '2147483648' },
      '--grace-period "2147483648" is not a whole number of seconds from 1 to 2147483647',
    ],
    [
      { skip: ['ledger'] },
      '--skip "ledger" is not KIND/NAME or NAMESPACE/KIND/NAME, such as shop/deployment/cart',
    ],
    [
      { only: ['a/b/c/d'] },
      '--only "a/b/c/d" is not KIND/NAME or NAMESPACE/KIND/NAME, such as shop/deployment/cart',
    ],
    [{ selector: 'app in cart' }, expect.stringMatching(/^--selector "app in cart": /) as unknown as string],
    [
      { hold: true, 'purge-mode': 'Directly' },
      '--purge-mode=Directly removes each old copy before the new one starts, which --hold forbids; leave one of them out',
    ],
    [
      { hold: true, method: 'taint' },
      '--hold needs --method=evict: with a taint Karmada itself writes the evictions',
    ],
  ])('%j', (flags, message) => {
    expect(() => from(flags)).toThrow(expect.objectContaining({ message, exitCode: 2 }) as unknown as Error);
  });
});

test('flags that contradict a saved drain plan are listed', () => {
  const flags = { hold: false, skip: ['a/b'], 'allow-loss': undefined, yes: true } as DrainOptionFlags;
  expect(flagsOfOptions(flags)).toEqual(['--skip', '--no-hold']);
});
