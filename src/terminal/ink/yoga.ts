import { loadYoga, type Yoga } from 'yoga-layout/load';

/** yoga-layout for Ink in the bundle (scripts/inkAsScript.mjs), where Ink cannot wait for it while it is loaded. */
let yoga: Yoga | undefined;
export { yoga as default };
export * from 'yoga-layout/load';

/** Wait for this before Ink draws; outside the bundle Ink waits by itself. */
export async function loadLayout(): Promise<void> {
  yoga ??= await loadYoga();
}
