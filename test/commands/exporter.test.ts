import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { auditAlerts, karmadaAlerts } from '../../src/useCases/exporter/manifests/alerts.ts';
import { openApi } from '../useCases/controller/openApi.ts';
import { run } from './cli.ts';
import { ask, fleet, lacking, startExporter, until } from './exporterRun.ts';
import { liveServer, type LiveServer } from './liveServer.ts';
import { breaches } from './schema.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const PORT = 21_359;

describe('exporter run', () => {
  let server: LiveServer;
  let exporter: ReturnType<typeof startExporter>;
  const metrics = async () => (await ask(PORT, '/metrics'))?.body ?? '';
  const says = (line: string) => until(line, async () => (await metrics()).split('\n').includes(line));

  beforeAll(async () => {
    server = await liveServer(fleet('east-1', 'west-1'), { documents: openApi(), now: Date.now() });
    exporter = startExporter(server, PORT);
    const ready = until('ready', async () => (await ask(PORT, '/readyz'))?.status === 200);
    await Promise.race([ready, exporter.ended.then(() => Promise.reject(new Error(exporter.stderr())))]);
  });
  afterAll(async () => {
    exporter.stop('SIGKILL');
    await exporter.ended;
    server.close();
  });

  test('reports the losses if a cluster fails', async () => {
    await says('karmada_failover_audit_age_seconds 0');
    const text = await metrics();
    expect(text).toMatch(/^karmada_failover_workloads 1$/m);
    expect(text).toMatch(/^karmada_failover_workloads_covered 1$/m);
    expect(text).toMatch(/^karmada_failover_loss_workloads\{cluster="east-1",trouble="lost"\} 0$/m);
    expect(text).toMatch(/^karmada_failover_on\{state="on"\} 1$/m);
    expect(text).toMatch(/^rest_client_requests_total\{/m);
  });

  const reason = lacking('promtool');
  (reason ? test.skip : test)(`has metrics that Prometheus takes ${reason ?? ''}`, async () => {
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await metrics(),
      encoding: 'utf8',
    });
    expect(stdout + stderr).not.toMatch(/error|parse/i);
  });

  test('serves its page and the audit document to this machine only', async () => {
    const page = await ask(PORT, '/');
    expect(page?.status).toBe(200);
    expect(page?.headers).toMatchObject({ 'content-security-policy': "frame-ancestors 'none'" });
    expect(page?.body).toContain('survive each of');
    const document = JSON.parse((await ask(PORT, '/api/audit'))!.body) as object;
    expect(breaches('failover-audit', document)).toBe('');
    // a foreign page whose host name resolves to this machine
    expect((await ask(PORT, '/api/audit', { host: 'evil.example' }))?.status).toBe(403);
    expect((await ask(PORT, '/healthz'))?.body).toBe('ok');
  });

  test('notices an interpreter created while it runs', async () => {
    const said = async () => (await ask(PORT, '/api/audit'))!.body.includes('the interpreter of Deployment');
    expect(await said()).toBe(false);
    server.store.create('/apis/config.karmada.io/v1alpha1/resourceinterpretercustomizations', {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'health', uid: 'uid-health' },
      spec: {
        target: { apiVersion: 'apps/v1', kind: 'Deployment' },
        customizations: {
          healthInterpretation: { luaScript: 'function InterpretHealth(o) return true end' },
        },
      },
    } as KubernetesObject);
    await until('the interpreter is heard of', said);
  });

  test('audits again after a cluster is deleted, and removes its metrics', async () => {
    server.store.delete('/apis/cluster.karmada.io/v1alpha1/clusters/west-1');
    await says('karmada_failover_workloads_covered 0');
    await says('karmada_failover_loss_workloads{cluster="east-1",trouble="lost"} 1');
    await says('karmada_failover_audit_age_seconds 0');
    const text = await metrics();
    expect(text).toMatch(/^karmada_failover_cause_workloads\{cause="no-other-cluster",trouble="lost"\} 1$/m);
    expect(text).toMatch(/^karmada_failover_workload_at_risk\{.*workload="web",trouble="lost"/m);
    expect(text).not.toContain('west-1');
  });

  test('writes nothing, and ends on SIGTERM', async () => {
    exporter.stop();
    expect([await exporter.ended, server.writes]).toEqual([0, []]);
  });
});

describe('exporter run', () => {
  test.each([
    [['--bind-address', '0'], 'an exporter needs an address'],
    [['--bind-address', 'here'], 'is not an address'],
    [['--tls-cert-file', 'x'], 'belong together'],
    [['--authentication-kubeconfig', 'x'], 'without TLS no token is checked'],
    [['--every', 'often'], '--every'],
  ])('rejects %j with the missing input', (argv, message) => {
    const { code, stderr } = run(['exporter', 'run', ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('exporter manifests', () => {
  const { stdout } = run(['exporter', 'manifests', '--image', 'r.example/f:1', '--rto', '5m', '-o', 'json']);
  const { items } = JSON.parse(stdout) as { items: (KubernetesObject & Record<string, never>)[] };
  const one = <T>(kind: string) => items.find((item) => item.kind === kind) as unknown as T;

  test('grants read access, and the reviews of the tokens and rights of its clients', () => {
    const rights = items.flatMap(
      (item) => (item as unknown as { rules?: { verbs: string[]; resources?: string[] }[] }).rules ?? [],
    );
    expect(new Set(rights.flatMap(({ verbs }) => verbs))).toEqual(
      new Set(['list', 'watch', 'create', 'get']),
    );
    const created = rights
      .filter(({ verbs }) => verbs.includes('create'))
      .flatMap(({ resources }) => resources);
    expect(created).toEqual(['tokenreviews', 'subjectaccessreviews']);
    const { spec } = one<{ spec: { template: { spec: { containers: { args: string[] }[] } } } }>(
      'Deployment',
    );
    expect(spec.template.spec.containers[0]!.args).toEqual([
      ...['exporter', 'run', '--kubeconfig=/etc/karmada-failover/kubeconfig/kubeconfig'],
      ...['--tls-cert-file=/etc/karmada-failover/tls/tls.crt'],
      ...['--tls-private-key-file=/etc/karmada-failover/tls/tls.key', '--rto=5m'],
    ]);
  });

  test('contains alerts, each with its remedy in docs/exporter.md', () => {
    const text = readFileSync('docs/exporter.md', 'utf8');
    for (const { alert } of [...auditAlerts, ...karmadaAlerts])
      expect(text).toMatch(new RegExp(`^### ${alert}\n\n\\S.{40,}`, 'm'));
  });

  const reason = lacking('promtool');
  (reason ? test.skip : test)(`have alerts that Prometheus takes, and that fire ${reason ?? ''}`, () => {
    const directory = temporaryFolder('alerts-');
    const file = (name: string, content: object) => {
      writeFileSync(join(directory, name), JSON.stringify(content));
      return join(directory, name);
    };
    const rules = file('rules.yaml', one<{ spec: object }>('PrometheusRule').spec);
    const series = (metric: string, values: string) => ({ series: metric, values });
    const firing = (alertname: string, at: string, labels: object | undefined) => ({
      eval_time: at,
      alertname,
      exp_alerts: labels ? [{ exp_labels: { severity: 'warning', ...labels } }] : [],
    });
    const tests = file('tests.yaml', {
      rule_files: [rules],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: [
            series('karmada_failover_workloads', '10x200'),
            series('karmada_failover_workloads_covered', '9x30 8x170'),
            series('karmada_failover_exporter_up', '1x200'),
            series('karmada_failover_on{state="off"}', '0x200'),
            series('karmada_failover_eviction_tasks{state="about-to-lose"}', '0x30 1x170'),
            series('karmada_failover_audit_age_seconds', '0x30 400x170'),
            series('eviction_queue_depth{name="q"}', '0x30 1+1x170'),
          ],
          alert_rule_test: [
            firing('KarmadaFailoverRedundancyLost', '29m', undefined),
            firing('KarmadaFailoverAuditStale', '29m', undefined),
            firing('KarmadaFailoverOff', '29m', { state: 'off' }),
            firing('KarmadaEvictionQueueGrowing', '70m', { name: 'q' }),
            firing('KarmadaFailoverRedundancyLost', '60m', {}),
            firing('KarmadaFailoverAuditStale', '60m', {}),
            firing('KarmadaFailoverAboutToLose', '60m', { severity: 'critical', state: 'about-to-lose' }),
          ].map((each) => ({
            ...each,
            exp_alerts: each.exp_alerts.map((expected) => ({
              ...expected,
              exp_annotations: [...auditAlerts, ...karmadaAlerts].find(
                ({ alert }) => alert === each.alertname,
              )!.annotations,
            })),
          })),
        },
      ],
    });
    const checked = spawnSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' });
    expect(checked.stderr).toBe('');
    const tested = spawnSync('promtool', ['test', 'rules', tests], { encoding: 'utf8' });
    expect([tested.status, tested.stderr]).toEqual([0, '']);
  });
});
