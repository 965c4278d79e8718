import { expect, test } from '@jest/globals';
import { problemText } from '../../src/cli/problemText.ts';
import type { ProblemData } from '../../src/useCases/problem.ts';

const known = ['frankfurt', 'dublin'];

const said: [ProblemData, string][] = [
  [
    { code: 'unknown-cluster', input: 'ifFails', cluster: 'frankfrut', known },
    '--if-fails: there is no cluster "frankfrut" in the state, did you mean frankfurt?',
  ],
  [
    { code: 'unknown-cluster', input: 'clusters', cluster: 'mars', known: [] },
    'there is no cluster "mars"; there are no clusters',
  ],
  [
    { code: 'unknown-area', property: 'zone', value: 'x', known: [] },
    '--fail-zone: no cluster has the zone "x"; no cluster has a zone',
  ],
  [
    { code: 'unknown-taint-policy', policy: 'netwrk', known: ['network'] },
    'there is no ClusterTaintPolicy "netwrk", did you mean network?',
  ],
  [
    { code: 'instant-of-simulation', given: 'noon', end: 0 },
    '--at noon: a simulation saved this state at 1970-01-01T00:00:00.000Z, and continues from there; remove --at',
  ],
  [
    { code: 'no-instant', clusters: 1 },
    'the state has no timestamp to use as the current time; give --at TIME',
  ],
  [
    { code: 'no-instant', clusters: 0 },
    'the state has no Cluster, nor a timestamp to use as the current time; add the output of kubectl get clusters -o json from the Karmada API server (docs/state.md)',
  ],
  [
    {
      code: 'assumption',
      where: '--assume',
      message: 'no gate Failver',
      unknown: { typed: 'Failver', known: ['Failover'] },
    },
    '--assume: no gate Failver, did you mean Failover?',
  ],
  [
    { code: 'many-evictions', binding: 'cart-deployment', clusters: known },
    'cart-deployment is being evicted from frankfurt and dublin; choose one with --from',
  ],
  [
    {
      code: 'no-workload',
      input: 'skip',
      name: 'deployment/crat',
      workloads: [{ kind: 'Deployment', namespace: 'shop', name: 'cart' }],
    },
    '--skip deployment/crat: there is no such workload, did you mean deployment/cart?',
  ],
  [
    { code: 'no-workload', input: 'only', name: 'deployment/search', workloads: [] },
    '--only deployment/search: there is no such workload; check the name, and whether a policy propagates it',
  ],
  [
    { code: 'no-kind', kind: 'job', known: ['deployment'] },
    '--kind job: there is no workload of this kind; there are deployment',
  ],
  [
    { code: 'no-labels' },
    '--selector: there is no workload with these labels; they are those of the workload, not of its binding',
  ],
  [
    { code: 'until-before-start', given: undefined, source: '--scenario x.yaml', start: 0 },
    'until of --scenario x.yaml is before the start of the simulation, 1970-01-01T00:00:00Z; give a later one',
  ],
  [{ code: 'scenario', source: undefined, message: 'there is no X' }, 'there is no X'],
];

test.each(said)('the message for %j names the flag', (data, text) => {
  expect(problemText(data)).toBe(text);
});
