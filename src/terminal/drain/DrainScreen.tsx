import { Frame } from '../screen/Frame.tsx';
import { drainFrame, type DrainView } from './drainFrame.ts';

/** The present state of a drain: how far it is, how long it takes, and which workloads it waits for and why. */
export function DrainScreen(view: DrainView) {
  return <Frame {...drainFrame(view)} />;
}
