import * as Flags from '@oclif/core/flags';
import type { EvictionActionName } from '../../analysis/evictionAction/actionOutcome.ts';
import { BaseCommand } from '../baseCommand.ts';
import { dryRunFlag, outputFlags, selectionFlags, stateFlags } from '../flags.ts';
import { Args, optional } from '../oclif/oclif.ts';
import { actOnEvictions, type EvictionActionFlags } from './actOnEvictions.ts';

const targetFlags = {
  from: Flags.string({
    summary: 'the cluster that the workload leaves; needed only if it leaves several',
    helpValue: 'CLUSTER',
  }),
  all: Flags.boolean({ summary: 'every workload that is being evicted from the cluster of --from' }),
  ...selectionFlags,
  'all-namespaces': Flags.boolean({
    char: 'A',
    summary: 'all namespaces; for --all or a selector',
  }),
};
const generalFlags = {
  'dry-run': dryRunFlag(
    'write nothing: print the changes (client), or also have the API server check them (server)',
  ),
  output: outputFlags.output,
  limit: outputFlags.limit,
  ...stateFlags,
};

/** The flags of an action that can never lose a copy. */
export const evictionActionFlags = { ...targetFlags, ...generalFlags };

/** The flags of an action that can. */
export const riskyEvictionActionFlags = {
  ...targetFlags,
  'allow-loss': Flags.boolean({ summary: 'proceed even if no ready copy may remain' }),
  ...generalFlags,
};

/** What hold, release, cancel and complete share: the targets, the flags, and one call. */
export abstract class EvictionActionCommand extends BaseCommand {
  static override strict = false;

  static override args = {
    'kind/name': Args.string({
      ...optional,
      description:
        'workloads or bindings: deployment/cart, deploy.apps/cart, shop/deployment/cart, rb/cart-deployment',
    }),
  };

  /** hold, which cannot lose a copy, has fewer flags */
  static override flags: Partial<typeof riskyEvictionActionFlags> = riskyEvictionActionFlags;

  abstract readonly action: EvictionActionName;

  async run(): Promise<number> {
    const { args, flags: declared, strict } = this.ctor;
    // oclif does not see inherited flags, and this class does not know the types of its flags
    const { argv, flags } = await this.parse({ args, flags: declared, strict });
    return actOnEvictions(this.action, argv as string[], flags as unknown as EvictionActionFlags);
  }
}
