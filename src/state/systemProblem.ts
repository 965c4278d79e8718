import { isObject } from '../kubernetes/json.ts';

/** The code of an error from Node or the system: "ENOENT"; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && 'message' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** An error's message; it may be from another context, whose Error class is not ours. */
export function messageOf(error: unknown): string {
  return isObject(error) && typeof error.message === 'string' ? error.message : String(error);
}

/**
 * The system's error about a file, without code, call and paths (which may be those of temporary files): "no such
 * file or directory".
 */
function systemProblem(error: unknown): string {
  return messageOf(error)
    .replace(/^[A-Z][A-Z0-9]*: /, '')
    .replace(/, [a-z]+( '.*)?$/s, '');
}

const PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file or directory; check the path',
  EISDIR: 'is a directory; name a file in it',
  EACCES: 'permission denied; make it readable for this user',
  EPERM: 'permission denied; make it readable for this user',
  ENOTDIR: 'no such file: a part of the path is not a directory; check the path',
  ELOOP: 'too many symbolic links, perhaps a loop; check the path',
  ENAMETOOLONG: 'the path is too long; check the path',
  EMFILE: 'too many open files; raise the limit (ulimit -n)',
};

/** Why a file cannot be read, and the next step. */
export function whyUnreadable(error: unknown): string {
  return PROBLEMS[codeOf(error) ?? ''] ?? otherwise(error, 'check the file');
}

/** An error without a code is not the system's, and contains the next step. */
function otherwise(error: unknown, next: string): string {
  return codeOf(error) === undefined ? systemProblem(error) : `${systemProblem(error)}; ${next}`;
}

const ELSEWHERE = 'write to another path';
const WRITING: Record<string, string> = {
  EACCES: `permission denied; ${ELSEWHERE}`,
  EPERM: `permission denied; ${ELSEWHERE}`,
  EROFS: `read-only file system; ${ELSEWHERE}`,
  ENOSPC: `no space left on device; free space, or ${ELSEWHERE}`,
  EFBIG: `the file would be too large; ${ELSEWHERE}`,
  EDQUOT: `disk quota exceeded; free space, or ${ELSEWHERE}`,
};

/** Why a file, or stdout, cannot be written, and the next step. */
export function whyUnwritable(error: unknown): string {
  const code = codeOf(error) ?? '';
  return WRITING[code] ?? PROBLEMS[code] ?? otherwise(error, ELSEWHERE);
}
