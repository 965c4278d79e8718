/**
 * Whether texts on stdout have colours: on a terminal, unless NO_COLOR (https://no-color.org) or TERM=dumb say otherwise; FORCE_COLOR
 * (https://force-color.org) counts more than these and the terminal, and with 0 or false it means none.
 */
export function hasColours({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return Boolean(stdout.isTTY) && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
