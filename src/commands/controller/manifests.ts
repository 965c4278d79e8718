import { BaseCommand } from '../../cli/baseCommand.ts';
import { controllerManifestsFlags } from '../../cli/controller/runFlags.ts';

export default class ControllerManifests extends BaseCommand {
  static override summary =
    'Print the manifests of controller run: permissions, a Deployment, a Service, alerts, and CRDs with the fields of the proposal.';

  static override description = [
    'For the Karmada API server it prints least-privilege permissions, and with the proposal the existing CRDs with its',
    'fields added. For the cluster that runs Karmada it prints two replicas with probes and configuration, a Service,',
    'a disruption budget and rules for Prometheus. The settings are those of controller run.',
  ].join(' ');

  static override usage = 'controller manifests [--for karmada|host] [flags]';

  static override examples = [
    {
      description: 'The permissions, on the Karmada API server',
      command: '<%= config.bin %> controller manifests --for karmada | kubectl --context karmada apply -f -',
    },
    {
      description: 'The Deployment, with settings',
      command:
        '<%= config.bin %> controller manifests --for host --config controller.yaml --image registry.example/karmada-failover:v1 | kubectl --context host apply -f -',
    },
    {
      description: "The proposal's fields in the CRDs of a control plane",
      command:
        '<%= config.bin %> controller manifests --for karmada --karmada-version proposal --karmada-context karmada',
    },
  ];

  static override flags = controllerManifestsFlags;

  async run(): Promise<number> {
    const { flags } = await this.parse(ControllerManifests);
    const { printManifests } = await import('../../cli/controller/printManifests.ts');
    return printManifests(flags);
  }
}
