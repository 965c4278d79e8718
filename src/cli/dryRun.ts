import * as Flags from '@oclif/core/flags';
import { choice } from './values.ts';

/** What kubectl takes for --dry-run. */
export const DRY_RUNS = ['none', 'client', 'server'] as const;
export type DryRun = (typeof DRY_RUNS)[number];

/** --dry-run of a command that writes; without a value it means --dry-run=client, as it did for kubectl. */
export const dryRunFlag = (summary: string) =>
  Flags.custom<DryRun>({
    summary,
    parse: async (given) => choice('--dry-run', given, DRY_RUNS),
    default: 'none',
    helpValue: DRY_RUNS.join('|'),
  })();

/** What kubectl adds to the lines of a dry run. */
export const dryRunSuffix: Record<DryRun, string> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
};
