import type { Fault, FaultyHost } from './faultyHost.ts';

/** Faults in a fixed sequence chosen by the seed. */
export function faultsOf(seed: number): () => Fault {
  const kinds: Fault[] = ['refused', 'conflict', 'lost before', 'lost after', 'late'];
  let at = seed;
  return () => {
    at = (Math.imul(at, 1103515245) + 12345) >>> 0;
    return (at >>> 16) % 3 === 0 ? kinds[(at >>> 8) % kinds.length] : undefined;
  };
}

/** A write of another client, which always succeeds. */
export async function outside(host: FaultyHost, write: Parameters<typeof host.api.write>[0]): Promise<void> {
  while ((await host.api.write(write, 'scheduler')).result !== 'written') continue;
}
