import { UserError, withSuggestion } from '../../cli/errors.ts';
import { listOutputFlags, selectionFlags, stateFlags } from '../../cli/flags.ts';
import { Args, Command, optional } from '../../cli/oclif.ts';
import { print } from '../../cli/print.ts';
import { selectedBindings } from '../../cli/selection.ts';
import { openState } from '../../cli/state.ts';
import { failoverStatus } from '../../engine/explanation/failoverStatus.ts';
import { FAILOVER_SWITCHES } from '../../engine/explanation/failoverSwitch.ts';
import { forecastFailures } from '../../engine/simulation/forecastFailures.ts';
import { defaultMembers } from '../../state/scenarioFile.ts';
import { unconfirmed } from '../../views/assumptions.ts';
import { failoverStatusAnswer } from '../../views/failoverStatus.ts';
import { nearMatches } from '../../views/nearMatches.ts';

/** Bindings times clusters up to which the failure of every cluster is simulated unasked. */
const LARGEST_FORECAST = 20_000;

/** What tells about failover and about what runs on clusters. */
const KINDS = new Set([
  'Cluster',
  'ResourceBinding',
  'ClusterResourceBinding',
  'Work',
  'ClusterTaintPolicy',
  'ResourceInterpreterCustomization',
  'ResourceInterpreterWebhookConfiguration',
  'Lease',
]);

export default class FailoverStatus extends Command {
  static override summary = 'Show whether failover is on, and how the clusters are.';

  static override description = [
    'Cluster failover needs several things at once: a feature gate, a flag, and somebody who puts NoExecute taints on',
    'clusters that fail. This says which of them are there and where that is known from, which taints the clusters',
    'have and who put them there, what runs on each cluster and is being evicted from it, and what would become of',
    'that were the cluster to fail. With CLUSTER it lists the workloads on that one.',
  ].join(' ');

  static override usage = 'failover status [CLUSTER] [--karmada-context NAME | --state PATH] [flags]';

  static override examples = [
    {
      description: 'The whole fleet',
      command: '<%= config.bin %> failover status --karmada-context karmada',
    },
    {
      description: 'One cluster and what runs on it',
      command: '<%= config.bin %> failover status frankfurt',
    },
    {
      description: "With the gates and flags that Karmada's components were started with",
      command: '<%= config.bin %> failover status --host-context host',
    },
    {
      description: 'On a captured control plane that does not tell a gate',
      command: '<%= config.bin %> failover status --state dump/ --assume Failover=true',
    },
  ];

  static override args = {
    cluster: Args.string({ ...optional, description: 'show this cluster alone, in full' }),
  };

  static override flags = { ...selectionFlags, ...listOutputFlags, ...stateFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FailoverStatus);
    const state = await openState(flags, flags.selector === undefined ? KINDS : undefined);
    const { world, now, configuration, karmadaVersion, assumptions } = state;
    const { cluster } = args;
    const names = world.clusters.map(({ metadata }) => metadata.name);
    if (cluster !== undefined && !names.includes(cluster)) {
      const known = names.length > 0 ? `it has ${names.slice(0, 10).join(', ')}` : 'it has no clusters';
      const message = `no cluster ${cluster} in the state`;
      throw new UserError(withSuggestion(message, nearMatches(cluster, names), known));
    }
    const simulable = cluster !== undefined || world.bindings.length * names.length <= LARGEST_FORECAST;
    const bindings = selectedBindings(world, flags);
    const status = failoverStatus(
      { ...world, bindings },
      {
        configuration,
        unconfirmed: unconfirmed(assumptions),
        ...(cluster === undefined ? {} : { cluster }),
        ...(simulable
          ? {
              forecast: forecastFailures(
                world,
                bindings,
                { start: now, members: defaultMembers },
                configuration,
              ),
            }
          : {}),
      },
    );
    const switches = assumptions.filter(({ name }) => FAILOVER_SWITCHES.has(name));
    const detailed = cluster !== undefined;
    await print(
      failoverStatusAnswer({ status, switches, assumptions, now, karmadaVersion, detailed }),
      flags,
    );
  }
}
