import type { EvictionActionName } from '../../analysis/evictionAction/actionOutcome.ts';
import { BaseCommand } from '../baseCommand.ts';
import { Args, optional } from '../oclif/oclif.ts';
import { actOnEvictions, type EvictionActionFlags } from './actOnEvictions.ts';
import { riskyEvictionActionFlags } from './evictionActionFlags.ts';

/** The base of hold, release, cancel and complete: the targets, the flags, and one call. */
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
