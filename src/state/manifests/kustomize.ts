import { execFile } from 'node:child_process';
import { StateError } from '../errors.ts';

/** A build that takes longer waits for something that never comes. */
const LONGEST_BUILD = 120_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * What `kubectl kustomize DIR` prints, so that a kustomization is built by kubectl's own library. Rejects with a StateError if there is
 * no kubectl, or kubectl refuses.
 */
export function kustomized(directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'kubectl',
      // a directory is never taken for a flag
      ['kustomize', '--', directory],
      { timeout: LONGEST_BUILD, maxBuffer: LARGEST_OUTPUT },
      (error, stdout, stderr) => {
        if (error) reject(new StateError(`-k ${directory}: ${problemOf(error, stderr)}`));
        else resolve(stdout);
      },
    );
  });
}

function problemOf(
  error: Error & { code?: string | number | null; killed?: boolean },
  stderr: string,
): string {
  if (error.code === 'ENOENT')
    return 'kubectl builds kustomizations, and it is not on the PATH; install it, or pipe what another kustomize builds into -f -';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return 'kubectl kustomize prints more than 64 MiB; no set of policies is so large';
  if (error.killed)
    return 'kubectl kustomize did not end within two minutes; build it by hand and pipe it into -f -';
  const last = stderr.trim().split('\n').at(-1) ?? '';
  // since v1.35 it logs its error, quoted
  const logged = /err="((?:[^"\\]|\\.)*)"$/.exec(last)?.[1]?.replace(/\\(.)/g, '$1');
  return (
    logged ?? (last === '' ? `kubectl kustomize failed: ${error.message}` : last.replace(/^error: /, ''))
  );
}
