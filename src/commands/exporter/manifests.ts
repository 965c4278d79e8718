import { BaseCommand } from '../../cli/baseCommand.ts';
import { connectionFlags } from '../../cli/connectionFlags.ts';
import { auditedFlags } from '../../cli/exporter/exporterFlags.ts';
import { Flags } from '../../cli/oclif/oclif.ts';

export default class ExporterManifests extends BaseCommand {
  static override summary =
    'Print what exporter run needs: rights to read, a Deployment, a ServiceMonitor, alerts, a dashboard for Grafana.';

  static override description = [
    'The rights are for the Karmada API server, the rest for the cluster that runs Karmada. The alerts use the',
    "metrics of the audit and Karmada's own metrics of evictions. docs/exporter.md says what to do about each alert.",
  ].join(' ');

  static override usage = 'exporter manifests [--for karmada|host] [flags]';

  static override examples = [
    {
      description: 'The rights, on the Karmada API server',
      command: '<%= config.bin %> exporter manifests --for karmada | kubectl --context karmada apply -f -',
    },
    {
      description: 'The rest, with five minutes as the recovery target',
      command:
        '<%= config.bin %> exporter manifests --for host --rto 5m --image registry.example/karmada-failover:v1 | kubectl --context host apply -f -',
    },
  ];

  static override flags = {
    for: Flags.string({ summary: 'print only this part', helpValue: 'karmada|host' }),
    namespace: Flags.string({
      char: 'n',
      summary: 'namespace of the Deployment and of the account; default: karmada-system',
      helpValue: 'NAMESPACE',
    }),
    image: Flags.string({
      summary: "image, built from the project's Dockerfile; not needed with --for karmada",
      helpValue: 'IMAGE',
    }),
    'image-digest': Flags.string({
      summary: 'digest of the image, as docker push prints it; nodes accept no other',
      helpValue: 'sha256:DIGEST',
    }),
    'kubeconfig-secret': Flags.string({
      summary:
        'Secret with the kubeconfig for the Karmada API server; default: karmada-failover-exporter-kubeconfig',
      helpValue: 'NAME',
    }),
    'tls-secret': Flags.string({
      summary:
        'Secret of the type kubernetes.io/tls to serve with, with the ca.crt that Prometheus trusts; default: karmada-failover-exporter-tls',
      helpValue: 'NAME',
    }),
    ...auditedFlags,
    output: Flags.string({ char: 'o', summary: 'yaml or json; default: yaml', helpValue: 'FORMAT' }),
    v: connectionFlags.v,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(ExporterManifests);
    const { printExporterManifests } = await import('../../cli/exporter/printExporterManifests.ts');
    return printExporterManifests(flags);
  }
}
