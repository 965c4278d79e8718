import { BaseCommand } from '../../cli/baseCommand.ts';
import { exporterManifestsFlags } from '../../cli/exporter/exporterFlags.ts';

export default class ExporterManifests extends BaseCommand {
  static override summary =
    'Print the manifests of exporter run: read permissions, a Deployment, a ServiceMonitor, alerts, a dashboard for Grafana.';

  static override description = [
    'The permissions are for the Karmada API server, the rest for the cluster that runs Karmada. The alerts use the',
    "metrics of the audit and Karmada's own metrics of evictions. docs/exporter.md has a response to each alert.",
  ].join(' ');

  static override usage = 'exporter manifests [--for karmada|host] [flags]';

  static override examples = [
    {
      description: 'The permissions, on the Karmada API server',
      command: '<%= config.bin %> exporter manifests --for karmada | kubectl --context karmada apply -f -',
    },
    {
      description: 'The rest, with five minutes as the recovery target',
      command:
        '<%= config.bin %> exporter manifests --for host --rto 5m --image registry.example/karmada-failover:v1 | kubectl --context host apply -f -',
    },
  ];

  static override flags = exporterManifestsFlags;

  async run(): Promise<number> {
    const { flags } = await this.parse(ExporterManifests);
    const { printExporterManifests } = await import('../../cli/exporter/printExporterManifests.ts');
    return printExporterManifests(flags);
  }
}
