import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openEditor } from '../../../src/cli/dashboard/openEditor.ts';

const NAMES = ['KUBE_EDITOR', 'VISUAL', 'EDITOR'];
const { env } = process;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'editor-'));
  process.env = Object.fromEntries(Object.entries(env).filter(([name]) => !NAMES.includes(name)));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.env = env;
});

test('the editor gets a temporary file that only its owner can read', async () => {
  const notes = join(folder, 'notes');
  const script = join(folder, 'an editor.sh');
  writeFileSync(script, `stat -c '%a %n' "$2" > '${notes}'; echo "$1" >> "$2"`);
  process.env['EDITOR'] = `sh '${script}' --wait`;
  expect(await openEditor('cart', 'kind: Cart\n')).toEqual({ text: 'kind: Cart\n--wait\n' });
  const [mode, file] = readFileSync(notes, 'utf8').trim().split(' ');
  expect(mode).toBe('600');
  expect(file).toMatch(/\/cart\.yaml$/);
  expect(existsSync(dirname(file!))).toBe(false);
});

test('KUBE_EDITOR takes precedence over VISUAL, and VISUAL over EDITOR', async () => {
  process.env['EDITOR'] = 'false';
  process.env['VISUAL'] = 'true';
  expect(await openEditor('a', 'text')).toEqual({ text: 'text' });
  process.env['KUBE_EDITOR'] = 'false';
  expect(await openEditor('a', 'text')).toEqual({
    why: 'The editor "false" ended with 1; nothing was changed. VISUAL or EDITOR names another one.',
  });
});
