/**
 * The most bytes that one packed byte may become. States shrink to a tenth or a fiftieth; a file that is packed far
 * tighter was made to exhaust memory.
 */
export const MOST_TIMES_UNPACKED = 250;
/** Any file may unpack to this many bytes. */
const ALWAYS_UNPACKED = 16 * 1024 * 1024;

/** How many bytes may come out of a number of packed ones. */
export function mostUnpacked(packedBytes: number): number {
  return Math.max(ALWAYS_UNPACKED, MOST_TIMES_UNPACKED * packedBytes);
}
