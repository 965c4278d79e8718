/** States shrink to a tenth or a fiftieth; what is packed tighter by far is made to fill the memory of who opens it. */
export const MOST_TIMES_UNPACKED = 250;
/** So much may be unpacked of anything. */
const ALWAYS_UNPACKED = 16 * 1024 * 1024;

/** How many bytes may come out of so many packed ones. */
export function mostUnpacked(packedBytes: number): number {
  return Math.max(ALWAYS_UNPACKED, MOST_TIMES_UNPACKED * packedBytes);
}
