import { ascii } from '../presentation/text/style.ts';

/**
 * A text as a stream can show it: in ASCII on a terminal whose locale is not UTF-8. Who reads a pipe or a file is another program, and gets
 * it as it is.
 */
export function inLocale(text: string, { isTTY }: { isTTY?: boolean | undefined }): string {
  return isTTY && !showsUnicode(process.env) ? ascii(text) : text;
}

/** Whether the locale is UTF-8. Decides as C libraries do, by the first of these variables that is set. */
export function showsUnicode(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return true;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}

/**
 * Whether texts on stdout have colours: on a terminal, unless NO_COLOR (https://no-color.org) or TERM=dumb say otherwise; FORCE_COLOR
 * (https://force-color.org) counts more than these and the terminal, and with 0 or false it means none.
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
