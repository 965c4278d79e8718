import { loadYoga, type Yoga } from 'yoga-layout/load';

/**
 * yoga-layout for Ink in the bundle (scripts/inkAsScript.mjs), where Ink cannot wait for it while it is loaded. It is empty at first:
 * chunks of the bundle hand on values, so nothing could take its place later.
 */
const yoga = {} as Yoga;
export default yoga;
export * from 'yoga-layout/load';

let filled: Promise<Yoga> | undefined;

/** Wait for this before Ink draws; outside the bundle Ink waits by itself. */
export async function loadLayout(): Promise<void> {
  filled ??= loadYoga().then((loaded) => Object.assign(yoga, loaded));
  await filled;
}
