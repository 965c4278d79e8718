import { BaseCommand } from '../../cli/baseCommand.ts';
import { exporterRunFlags } from '../../cli/exporter/exporterFlags.ts';

export default class ExporterRun extends BaseCommand {
  static override summary = 'Serve the failover audit as metrics, a page and JSON.';

  static override description = [
    'Follows the control plane and audits it after changes, at most every 30 seconds. It serves the result of',
    'failover audit for Prometheus at /metrics, as a page at /, and as JSON at /api/audit. It only reads. Without TLS',
    'it serves only this machine; with TLS it accepts bearer tokens, which the API server reviews. It runs until',
    'SIGTERM or Ctrl-C.',
  ].join(' ');

  static override usage = 'exporter run [flags]';

  static override examples = [
    {
      description: 'On this machine, with five minutes as the recovery target',
      command: '<%= config.bin %> exporter run --rto 5m --bind-address 127.0.0.1:10359',
    },
  ];

  static override flags = exporterRunFlags;

  async run(): Promise<number> {
    const { flags } = await this.parse(ExporterRun);
    const { runExporter } = await import('../../cli/exporter/runExporter.ts');
    return runExporter(flags, this.config.root);
  }
}
