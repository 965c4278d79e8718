/** The dry-run strategies, by kubectl's names: none, by us, or by the server. */
export type DryRun = 'none' | 'client' | 'server';

/** kubectl's suffix for the lines of a dry run. */
export const dryRunSuffix: Record<DryRun, string> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
};
