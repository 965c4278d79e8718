import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSafeFile } from '../../state/output/safeFile.ts';
import type { Editor } from '../../terminal/dashboard/editing.ts';

/**
 * Opens a text in the editor that KUBE_EDITOR, VISUAL or EDITOR names (a command line, as for kubectl edit), otherwise
 * in vi. The terminal must be free. Only the owner can read the file. Its own directory is removed afterwards, unless
 * the process is killed by SIGKILL.
 */
export const openEditor: Editor = async (name, text) => {
  const { KUBE_EDITOR, VISUAL, EDITOR } = process.env;
  const editor = KUBE_EDITOR || VISUAL || EDITOR || 'vi';
  const folder = await mkdtemp(join(tmpdir(), 'karmada-failover-edit-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove).prependListener('SIGHUP', remove);
  try {
    const file = join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.yaml`);
    await writeSafeFile(file, [text], { holdsState: true, toStdout: () => Promise.resolve() });
    const why = await ended(editor, file);
    return why === undefined ? { text: await readFile(file, 'utf8') } : { why };
  } finally {
    process.off('exit', remove).off('SIGHUP', remove);
    remove();
  }
};

/** Runs the editor on this terminal; resolves with the reason to discard the text, if it failed. */
function ended(editor: string, file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    // the variable holds a command line of several words; the file is one word
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    const terminate = () => void child.kill('SIGTERM');
    process.on('SIGTERM', terminate);
    const end = (why?: string) => {
      process.off('SIGTERM', terminate);
      resolve(why);
    };
    child.on('error', ({ message }) => end(`The editor "${editor}" cannot be run: ${message}`));
    child.on('exit', (code, signal) =>
      end(
        code === 0
          ? undefined
          : `The editor "${editor}" ended with ${code ?? signal}; nothing was changed. VISUAL or EDITOR names another one.`,
      ),
    );
  });
}
