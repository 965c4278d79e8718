import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openApi } from '../useCases/controller/openApi.ts';
import { run } from './cli.ts';
import { ask, fleet, lacking, startExporter, until } from './exporterRun.ts';
import { liveServer } from './liveServer.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const [EXPORTER, PROMETHEUS] = [21_361, 21_362];
const reason = lacking('prometheus');

(reason ? test.skip : test)(
  `a real Prometheus scrapes the exporter, and warns when a workload loses its second home ${reason ?? ''}`,
  async () => {
    const directory = temporaryFolder('prometheus-');
    const { stdout } = run(['exporter', 'manifests', '--for', 'host', '--image', 'x:1', '-o', 'json']);
    const { items } = JSON.parse(stdout) as {
      items: { kind: string; spec: { groups: { rules: { for: string }[] }[] } }[];
    };
    const { groups } = items.find(({ kind }) => kind === 'PrometheusRule')!.spec;
    // minutes would make a long test longer
    for (const { rules } of groups) for (const rule of rules) rule.for = '1s';
    writeFileSync(join(directory, 'rules.yaml'), JSON.stringify({ groups }).replaceAll('[1d:5m]', '[1d:1s]'));
    writeFileSync(
      join(directory, 'prometheus.yaml'),
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [join(directory, 'rules.yaml')],
        scrape_configs: [{ job_name: 'exporter', static_configs: [{ targets: [`127.0.0.1:${EXPORTER}`] }] }],
      }),
    );
    const server = await liveServer(fleet('east-1', 'west-1'), { documents: openApi(), now: Date.now() });
    const exporter = startExporter(server, EXPORTER);
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(directory, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(directory, 'data')}`,
        `--web.listen-address=127.0.0.1:${PROMETHEUS}`,
      ],
      { stdio: 'ignore' },
    );
    const firing = async (): Promise<string[]> => {
      const answer = await ask(PROMETHEUS, '/api/v1/alerts');
      if (answer?.status !== 200) return [];
      const { data } = JSON.parse(answer.body) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] };
      };
      return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    };
    const covered = async () =>
      (await ask(PROMETHEUS, '/api/v1/query?query=karmada_failover_workloads_covered'))?.body ?? '';
    try {
      await until('scraped', async () => (await covered()).includes('"1"]'));
      expect(await firing()).not.toContain('KarmadaFailoverRedundancyLost');
      server.store.delete('/apis/cluster.karmada.io/v1alpha1/clusters/west-1');
      await until('redundancy lost', async () => (await firing()).includes('KarmadaFailoverRedundancyLost'));
      exporter.stop();
      await until('stale', async () => (await firing()).includes('KarmadaFailoverAuditStale'));
    } finally {
      prometheus.kill('SIGKILL');
      exporter.stop('SIGKILL');
      server.close();
    }
  },
);
