/**
 * What the system says about a file that it cannot read or write, without the code, the call and the paths (which may be those of
 * temporary files): "no such file or directory".
 */
export function systemProblem(error: Error): string {
  if ('code' in error && error.code === 'EISDIR') return 'is a directory';
  return error.message.replace(/^[A-Z][A-Z0-9]*: /, '').replace(/, [a-z]+( '.*)?$/s, '');
}
