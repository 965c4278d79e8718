import { expect, test } from '@jest/globals';
import { DRY_RUN_BARE } from '../../src/cli/dryRun.ts';
import { withoutBooleanValues } from '../../src/cli/kubectlBooleans.ts';

const flags = {
  wait: { type: 'boolean', allowNo: true },
  yes: { type: 'boolean' },
  timeout: { type: 'option' },
  'dry-run': { type: 'option' },
};

test.each([
  ['--wait=false', '--no-wait'],
  ['--wait=true', '--wait'],
  ['--wait=0', '--no-wait'],
  ['--wait --yes', '--wait --yes'],
  ['--yes=true', '--yes'],
  ['--yes=false', ''],
  ['--timeout=5m', '--timeout=5m'],
  ['frankfurt --dry-run', 'frankfurt --dry-run=client'],
  ['--dry-run frankfurt', '--dry-run=client frankfurt'],
  ['--dry-run server frankfurt', '--dry-run=server frankfurt'],
  ['--dry-run=server', '--dry-run=server'],
  ['--dry-run --state x', '--dry-run=client --state x'],
  ['--unknown=false', '--unknown=false'],
  ['-- --wait=false', '-- --wait=false'],
  ['-o json', '-o json'],
])('%s is %s', (typed, expected) => {
  const words = expected === '' ? [] : expected.split(' ');
  expect(withoutBooleanValues(typed.split(' '), flags, { 'dry-run': DRY_RUN_BARE })).toEqual(words);
});

test('other values of a boolean are a mistake', () => {
  expect(() => withoutBooleanValues(['--wait=maybe'], flags)).toThrow(
    '--wait "maybe" is neither true nor false',
  );
});
