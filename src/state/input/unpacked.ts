/** States shrink to a tenth or a fiftieth. A file that is packed far tighter was made to fill the memory of whoever opens it. */
export const MOST_TIMES_UNPACKED = 250;
/** Any file may unpack to this size. */
const ALWAYS_UNPACKED = 16 * 1024 * 1024;

/** How many bytes may come out of a number of packed ones. */
export function mostUnpacked(packedBytes: number): number {
  return Math.max(ALWAYS_UNPACKED, MOST_TIMES_UNPACKED * packedBytes);
}
