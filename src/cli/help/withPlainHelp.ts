const VALUED = /^--help=(.*)$/s;

/** The words of a command line without --help=false, and with --help for --help=true: oclif knows no value of it. */
export async function withPlainHelp(argv: readonly string[]): Promise<string[]> {
  if (!argv.some((word) => VALUED.test(word))) return [...argv];
  const { booleanValue } = await import('../kubectlArguments.ts');
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.flatMap((word, at) => {
    const value = at < end ? VALUED.exec(word)?.[1] : undefined;
    const isAsked = value === undefined ? undefined : booleanValue(value);
    return isAsked === undefined ? [word] : isAsked ? ['--help'] : [];
  });
}
