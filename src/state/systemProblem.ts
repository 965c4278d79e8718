/**
 * The system's error about a file that it cannot read or write, without code, call and paths (which may be those of
 * temporary files): "no such file or directory".
 */
function systemProblem(error: Error): string {
  return error.message.replace(/^[A-Z][A-Z0-9]*: /, '').replace(/, [a-z]+( '.*)?$/s, '');
}

const PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file or directory; check the path',
  EISDIR: 'is a directory; name a file in it',
  EACCES: 'permission denied; make it readable for this user',
  EPERM: 'permission denied; make it readable for this user',
  ENOTDIR: 'no such file: a part of the path is not a directory; check the path',
  ELOOP: 'too many symbolic links, perhaps in a circle; check the path',
  ENAMETOOLONG: 'the path is too long; check the path',
  EMFILE: 'too many open files; raise the limit (ulimit -n)',
};

/** Why a file cannot be read, and what to do next. */
export function whyUnreadable(error: NodeJS.ErrnoException): string {
  return PROBLEMS[error.code ?? ''] ?? otherwise(error, 'check the file');
}

/** An error without a code is not the system's, and says itself what to do. */
function otherwise(error: NodeJS.ErrnoException, next: string): string {
  return error.code === undefined ? systemProblem(error) : `${systemProblem(error)}; ${next}`;
}

const ELSEWHERE = 'write to another place';
const WRITING: Record<string, string> = {
  EACCES: `permission denied; ${ELSEWHERE}`,
  EPERM: `permission denied; ${ELSEWHERE}`,
  EROFS: `read-only file system; ${ELSEWHERE}`,
  ENOSPC: `no space left on device; make room, or ${ELSEWHERE}`,
  EFBIG: `the file would be too large; ${ELSEWHERE}`,
  EDQUOT: `disk quota exceeded; make room, or ${ELSEWHERE}`,
};

/** Why a file, or stdout, cannot be written, and what to do next. */
export function whyUnwritable(error: NodeJS.ErrnoException): string {
  const code = error.code ?? '';
  return WRITING[code] ?? PROBLEMS[code] ?? otherwise(error, ELSEWHERE);
}
