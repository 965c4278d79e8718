import { expect, test } from '@jest/globals';
import { kubectlArguments } from '../../src/cli/kubectlArguments.ts';

const flags = {
  wait: { type: 'boolean', allowNo: true },
  yes: { type: 'boolean', char: 'y' },
  output: { type: 'option', char: 'o' },
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
  ['-y=true', '--yes'],
  ['-y=false', ''],
  ['-y', '--yes'],
  ['--yes --yes=false', ''],
  ['-y=false --yes', '--yes'],
  ['--wait=false --wait', '--wait'],
  ['--no-wait --wait=true', '--wait'],
  ['--no-wait=false', '--wait'],
  ['--timeout --yes=true', '--timeout --yes=true'],
  ['-o=json -o yaml', '-o=json -o yaml'],
  ['--timeout=5m', '--timeout=5m'],
  ['frankfurt --dry-run', 'frankfurt --dry-run=client'],
  ['--dry-run frankfurt', '--dry-run=client frankfurt'],
  ['--dry-run server frankfurt', '--dry-run=server frankfurt'],
  ['--dry-run=server', '--dry-run=server'],
  ['--dry-run --state x', '--dry-run=client --state x'],
  ['--unknown=false', '--unknown=false'],
  ['-- --wait=false', '-- --wait=false'],
  ['-o json', '-o json'],
])('"%s" is parsed as "%s"', (typed, expected) => {
  const words = expected === '' ? [] : expected.split(' ');
  expect(
    kubectlArguments(typed.split(' '), flags, {
      'dry-run': { value: 'client', otherwise: ['none', 'client', 'server'] },
    }),
  ).toEqual(words);
});

test.each(['--wait', '-y'])('a boolean flag rejects another value: %s=maybe', (flag) => {
  expect(() => kubectlArguments([`${flag}=maybe`], flags)).toThrow(
    `${flag} "maybe" is neither true nor false`,
  );
});
