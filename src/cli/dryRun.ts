import * as Flags from '@oclif/core/flags';
import { choice } from './values.ts';

/** The values of kubectl's --dry-run. */
export const DRY_RUNS = ['none', 'client', 'server'] as const;
export type DryRun = (typeof DRY_RUNS)[number];

/** The flag --dry-run of a command that writes; without a value it means client, as it once did for kubectl. */
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
