type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env'>;

/** Whether there is a terminal for keys and a screen. */
export function hasScreen({ stdin, stdout, env }: Terminal): boolean {
  return Boolean(stdin.isTTY) && Boolean(stdout.isTTY) && env['TERM'] !== 'dumb';
}

/**
 * Whether a command shows a screen by itself: somebody looks at a terminal, with eyes. In CI nobody does; with
 * INK_SCREEN_READER=true they hear it.
 */
export function fitsScreen(terminal: Terminal): boolean {
  const { env } = terminal;
  return hasScreen(terminal) && !inContinuousIntegration(env) && env['INK_SCREEN_READER'] !== 'true';
}

function inContinuousIntegration(env: NodeJS.ProcessEnv): boolean {
  return ['CI', 'CONTINUOUS_INTEGRATION'].some((name) => {
    const value = env[name];
    return value !== undefined && value !== '0' && value !== 'false';
  });
}
