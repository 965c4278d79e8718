/** Whether a write is only tried, under kubectl's names: not at all, by us, or by the server. */
export type DryRun = 'none' | 'client' | 'server';

/** What kubectl adds to the lines of a dry run. */
export const dryRunSuffix: Record<DryRun, string> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
};
