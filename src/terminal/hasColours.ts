/** Whether texts on stdout have colours: on a terminal, unless NO_COLOR (https://no-color.org) or TERM=dumb say otherwise. */
export function hasColours({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>): boolean {
  return Boolean(stdout.isTTY) && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
