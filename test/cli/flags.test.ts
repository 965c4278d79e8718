import { afterEach, expect, test } from '@jest/globals';
import { outputFlagWith } from '../../src/cli/flags.ts';

const { isTTY } = process.stdout;
afterEach(() => void (process.stdout.isTTY = isTTY));

const given = (form: string, isTerminal: boolean) => {
  process.stdout.isTTY = isTerminal;
  return outputFlagWith('mermaid', 'perfetto').parse!(form, {} as never, {} as never);
};

test('-o perfetto is refused on a terminal before any work, with the command that writes a file', async () => {
  await expect(given('perfetto', true)).rejects.toThrow(
    '-o perfetto is binary and cannot be shown on a terminal; write it to a file: -o perfetto > trace.pftrace',
  );
  await expect(given('perfetto', false)).resolves.toBe('perfetto');
  await expect(given('mermaid', true)).resolves.toBe('mermaid');
});
