import { describe, expect, test } from '@jest/globals';
import { explainFailover, type ExplanationRequest } from '../../src/useCases/explanation/explainFailover.ts';
import { statusOfFailover } from '../../src/useCases/status/failoverStatus.ts';
import { problemOf, quietPorts } from './quietPorts.ts';

const shop = { source: { files: ['examples/shop/control-plane.json'] } };
const ledger: ExplanationRequest = { state: shop, target: 'statefulset/ledger', failures: [], clusters: [] };
const minutes = (count: number) => count * 60_000;

describe('explaining a workload', () => {
  test('returns the outcome for a failure of each of its clusters', async () => {
    const { explanation } = await explainFailover(ledger, quietPorts());
    expect(explanation.verdict.outcome).toBe('stays');
    expect(explanation.ifItFails?.map(({ cluster }) => cluster)).toEqual(['frankfurt']);
  });

  test('simulates the given failures and recoveries', async () => {
    const ports = quietPorts();
    const failures = [{ cluster: 'frankfurt', after: 0 }];
    const recoveries = [{ cluster: 'frankfurt', after: minutes(5) }];
    const { explanation, now } = await explainFailover({ ...ledger, failures, recoveries }, ports);
    expect(explanation.ifItFails).toBeUndefined();
    expect(explanation.failures).toEqual([{ cluster: 'frankfurt', time: now }]);
    expect(explanation.chain.map(({ type }) => type)).toContain('ClusterRecovered');
    expect(ports.warnings).toEqual([]);
  });

  test('returns for each given cluster why the workload is on it or not', async () => {
    const { explanation } = await explainFailover(
      { ...ledger, clusters: ['tokyo', 'frankfurt'] },
      quietPorts(),
    );
    expect(explanation.why.map(({ cluster, answer }) => `${cluster} ${answer}`)).toEqual([
      'tokyo rejected',
      'frankfurt placed',
    ]);
  });

  test('lists the given time until replicas are ready as an assumption', async () => {
    const { assumptions } = await explainFailover({ ...ledger, readyAfter: 5000 }, quietPorts());
    expect(assumptions.at(-1)).toMatchObject({ name: 'workloadReadyAfter', value: '5s', source: 'given' });
  });

  test('warns of a recovery of a cluster that has not failed', async () => {
    const ports = quietPorts();
    await explainFailover({ ...ledger, recoveries: [{ cluster: 'dublin', after: minutes(1) }] }, ports);
    expect(ports.warnings).toEqual(['at T+1m dublin recovers, but has not failed by then: no effect']);
  });

  test('refuses unknown clusters and workloads', async () => {
    const failures = [{ cluster: 'atlantis', after: 0 }];
    expect(await problemOf(() => explainFailover({ ...ledger, failures }, quietPorts()))).toMatchObject({
      code: 'unknown-cluster',
      input: 'ifFails',
      cluster: 'atlantis',
    });
    const clusters = ['atlantis'];
    expect(await problemOf(() => explainFailover({ ...ledger, clusters }, quietPorts()))).toMatchObject({
      code: 'unknown-cluster',
      input: 'cluster',
    });
    const gone = { ...ledger, target: 'deployment/ledger' };
    expect(await problemOf(() => explainFailover(gone, quietPorts()))).toMatchObject({ code: 'no-binding' });
  });
});

describe('the failover status', () => {
  test('ranks clusters only if all are requested', async () => {
    const all = await statusOfFailover({ state: shop, selection: {} }, quietPorts());
    const ranks = all.status.clusters.map(({ rank }) => rank);
    expect(ranks.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(all.drains).toEqual([]);
    const one = await statusOfFailover({ state: shop, cluster: 'dublin', selection: {} }, quietPorts());
    expect(one.status.clusters).toMatchObject([{ name: 'dublin', rank: null }]);
  });

  test('assumes the given time until replicas are ready', async () => {
    const readyIn = async (readyAfter?: number) => {
      const request = { state: shop, selection: {}, readyAfter };
      const { assumptions } = await statusOfFailover(request, quietPorts());
      return assumptions.find(({ name }) => name === 'workloadReadyAfter');
    };
    expect(await readyIn()).toMatchObject({ source: 'a guess; give the time until replicas are ready' });
    expect(await readyIn(300_000)).toMatchObject({ source: 'given', value: '5m' });
  });
});
