/** What kubectl takes for --dry-run. */
export const DRY_RUNS = ['none', 'client', 'server'] as const;
export type DryRun = (typeof DRY_RUNS)[number];

/** --dry-run without a value means --dry-run=client. */
export const DRY_RUN_BARE = { value: 'client', otherwise: DRY_RUNS } as const;

/** What kubectl adds to the lines of a dry run. */
export const dryRunSuffix: Record<DryRun, string> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
};
