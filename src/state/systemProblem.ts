/**
 * What the system says about a file that it cannot read or write, without the code, the call and the paths (which may be those of
 * temporary files): "no such file or directory".
 */
export function systemProblem(error: Error): string {
  if ('code' in error && error.code === 'EISDIR') return 'is a directory';
  return error.message.replace(/^[A-Z][A-Z0-9]*: /, '').replace(/, [a-z]+( '.*)?$/s, '');
}

const PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file or directory; check the path',
  EACCES: 'permission denied; make it readable for this user',
  EPERM: 'permission denied; make it readable for this user',
  ENOTDIR: 'no such file: a part of the path is not a directory',
  ELOOP: 'symbolic links lead in a circle',
  ENAMETOOLONG: 'the path is too long',
  EMFILE: 'too many open files',
};

/** Why a file cannot be read, and what to do next. */
export function whyUnreadable(error: NodeJS.ErrnoException): string {
  return PROBLEMS[error.code ?? ''] ?? systemProblem(error);
}
