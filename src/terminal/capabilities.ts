import { ascii } from '../presentation/text/style.ts';

/**
 * A text as a stream can show it: in ASCII on a terminal whose locale is not UTF-8. Pipes and files are read by other programs, so they get
 * it unchanged.
 */
export function inLocale(text: string, { isTTY }: { isTTY?: boolean | undefined }): string {
  return isTTY && !showsUnicode(process.env) ? ascii(text) : text;
}

/** Whether the locale is UTF-8. As in C libraries, the first of these variables that is set decides. */
export function showsUnicode(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}

/**
 * Whether texts on stdout have colours: on a terminal, unless NO_COLOR (https://no-color.org) or TERM=dumb is set; FORCE_COLOR
 * (https://force-color.org) overrides these and the terminal, and 0 or false in it means no colours.
 */
export function hasColours({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return Boolean(stdout.isTTY) && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env'>;

/** Whether there is a terminal for keys and a screen. */
export function hasScreen({ stdin, stdout, env }: Terminal): boolean {
  return Boolean(stdin.isTTY) && Boolean(stdout.isTTY) && env['TERM'] !== 'dumb';
}

/** Whether a command opens a screen by itself: only on a terminal that a user can see. Not in CI, nor with INK_SCREEN_READER=true. */
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
