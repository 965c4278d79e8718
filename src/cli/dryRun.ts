import * as Flags from '@oclif/core/flags';
import type { DryRun } from '../views/words/dryRunSuffix.ts';
import { choice } from './values.ts';

export type { DryRun };

export const DRY_RUNS = ['none', 'client', 'server'] as const satisfies readonly DryRun[];

/** The flag --dry-run of a command that writes; without a value it means client, as it once did for kubectl. */
export const dryRunFlag = (summary: string) =>
  Flags.custom<DryRun>({
    summary,
    parse: async (given) => choice('--dry-run', given, DRY_RUNS),
    default: 'none',
    helpValue: DRY_RUNS.join('|'),
  })();
