import { serveFeed } from './cli/dashboard/feedWorker.ts';

/** The entry of the thread that follows a control plane for a dashboard. */
export const main = serveFeed;
