import { describe, expect, test } from '@jest/globals';
import { BaseCommand } from '../../src/cli/baseCommand.ts';
import { commands } from '../../src/commands/index.ts';
import { dryRunFlag, scopeFlags } from '../../src/cli/flags.ts';
import { Args, Flags, optional } from '../../src/cli/oclif/oclif.ts';

class Probe extends BaseCommand {
  static override args = { cluster: Args.string({ ...optional }) };
  static override flags = {
    ...scopeFlags,
    'dry-run': dryRunFlag('write nothing'),
    wait: Flags.boolean({ allowNo: true }),
    'ready-after': Flags.string(),
  };

  async run() {
    const { args, flags } = await this.parse(Probe);
    return { ...args, ...flags };
  }
}

const config = { bin: 'probe', runHook: async () => ({ successes: [], failures: [] }) };
const read = (line: string) =>
  new Probe(line === '' ? [] : line.split(' ').map((word) => word.replace("''", '')), config as never).run();

test.each([
  ['', { 'dry-run': 'none' }],
  ['--dry-run frankfurt', { 'dry-run': 'client', cluster: 'frankfurt' }],
  ['--dry-run server', { 'dry-run': 'server' }],
  ['--dry-run=Server', { 'dry-run': 'server' }],
  ['--wait=false', { wait: false }],
  ['-A=false -n shop', { namespace: 'shop' }],
  ['-n shop -A', { 'all-namespaces': true }],
  ['-A --namespace=shop', { 'all-namespaces': true }],
  ["-n ''", {}],
  ["--namespace=''", {}],
  ['--ready-after -5s', { 'ready-after': '-5s' }],
])('a command parses "%s" as kubectl does', async (line, expected) => {
  expect(await read(line)).toEqual({ 'dry-run': 'none', ...expected });
});

test.each([
  ['--wait=perhaps', '--wait "perhaps" is neither true nor false'],
  ['--dry-run=perhaps', '--dry-run "perhaps" is not known; choose from none, client, server'],
])('a command rejects %s', async (line, message) => {
  await expect(read(line)).rejects.toThrow(message);
});

describe.each(Object.entries(commands))('%s', (_, load) => {
  test('extends BaseCommand and accepts -v', async () => {
    const command = (await load()).default as typeof BaseCommand;
    expect(Object.create(command.prototype)).toBeInstanceOf(BaseCommand);
    expect(Object.keys(command.flags)).toContain('v');
  });
});
