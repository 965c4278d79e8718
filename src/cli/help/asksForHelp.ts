/** Whether a command line asks for help: by a flag before "--", by the first word, or by being empty. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return argv.length === 0 || argv[0] === 'help' || own.some(isHelpFlag);
}

export function isHelpFlag(word: string): boolean {
  return word === '--help' || word === '-h';
}
