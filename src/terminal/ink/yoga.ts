import { loadYoga, type Yoga } from 'yoga-layout/load';

/** What Ink knows as yoga-layout, in the bundle (scripts/inkAsScript.mjs): there it cannot wait for it when it is loaded. */
let yoga: Yoga | undefined;
export { yoga as default };
export * from 'yoga-layout/load';

/** To be waited for before Ink draws; outside the bundle Ink has done that itself. */
export async function loadLayout(): Promise<void> {
  yoga ??= await loadYoga();
}
