import { loadYoga, type Yoga } from 'yoga-layout/load';

/**
 * yoga-layout for Ink in the bundle (scripts/inkAsScript.mjs), where Ink cannot await it at load time. Initially empty, and filled in
 * place: the bundle's chunks export values, so it cannot be replaced later.
 */
const yoga = {} as Yoga;
export default yoga;
export * from 'yoga-layout/load';

let filled: Promise<Yoga> | undefined;

/** Await this before Ink draws; outside the bundle Ink waits by itself. */
export async function loadLayout(): Promise<void> {
  filled ??= loadYoga().then((loaded) => Object.assign(yoga, loaded));
  await filled;
}
