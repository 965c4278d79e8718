import { describe, expect, test } from '@jest/globals';
import type { Example } from '../../analysis/findings/state/examples/example.ts';
import { diagnosisAnswer } from '../../../src/views/doctor/diagnosisAnswer.ts';
import { patched as after } from '../../analysis/findings/state/applied.ts';
import { diagnosed } from '../../analysis/findings/state/diagnosed.ts';
import { changed, healthyObjects, type Written } from '../../analysis/findings/state/healthyWorld.ts';

// The line that answers "failover is enabled and nothing moves": however failover was switched off, it names that and nothing else.

const controllers = { kind: 'Deployment', namespace: 'karmada-system', name: 'karmada-controller-manager' };

const startedWith = (version: string, ...args: string[]): Written[] =>
  after(changed({ version }), controllers, {
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: controllers.name,
              image: `docker.io/karmada/${controllers.name}:${version}`,
              command: [`/bin/${controllers.name}`, ...args],
            },
          ],
        },
      },
    },
  });
const example = (one: Example) => changed(one);
const GATE = '--feature-gates=Failover=true';
const EVICTS = '--enable-no-execute-taint-eviction=true';

const ways: Record<string, [objects: Written[], says: RegExp]> = {
  'a disabled feature gate': [
    startedWith('v1.18.2', EVICTS),
    /^Failover is off: gate Failover=false on karmada-controller-manager v1\.18\.2, the default/,
  ],
  'a missing flag for NoExecute': [
    startedWith('v1.18.2', GATE),
    /^Failover is off: enable-no-execute-taint-eviction=false on karmada-controller-manager v1\.18\.2, the default from v1\.14\.0 on/,
  ],
  'a disabled flag of older releases': [
    startedWith('v1.13.10', GATE, '--enable-taint-manager=false'),
    /^Failover is off: enable-taint-manager=false on karmada-controller-manager v1\.13\.10/,
  ],
  'no taint policy': [
    example({ patches: [{ target: { kind: 'ClusterTaintPolicy', name: 'ready' }, merge: null }] }),
    /^Failover is manual: no ClusterTaintPolicy puts a NoExecute taint on a cluster that is not Ready, and v1\.18\.2 adds none itself/,
  ],
  'an eviction rate of 0': [
    startedWith('v1.18.2', GATE, EVICTS, '--resource-eviction-rate=0'),
    /^Failover is off: the rate of evictions is 0/,
  ],
  'a disabled cluster controller': [
    startedWith('v1.18.2', GATE, EVICTS, '--controllers=*,-cluster'),
    /^Failover is off: --controllers=\*,-cluster leaves out cluster, and with it the taint manager/,
  ],
  'a toleration without end': [
    after(
      healthyObjects(),
      { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
      { spec: { placement: { clusterTolerations: [{ operator: 'Exists' }] } } },
    ),
    /^Deployment shop\/web.*: tolerates cluster\.karmada\.io\/not-ready forever/,
  ],
};

const SWITCHES =
  /Failover=|enable-[a-z-]+=|rate of evictions|--controllers=|no ClusterTaintPolicy|tolerates/g;

describe('the verdict of doctor names exactly one cause of disabled failover, given', () => {
  test.each(Object.entries(ways))('%s', async (_, [objects, says]) => {
    const { findings, ...rest } = await diagnosed(objects);
    const { document } = diagnosisAnswer({ ...rest, findings, commandOf: () => undefined });
    const verdict = String(document['verdict']);
    expect(verdict).toMatch(says);
    expect(verdict.match(SWITCHES)).toHaveLength(1);
    expect(findings.filter(({ severity }) => severity === 'error').length).toBeLessThanOrEqual(1);
  });
});

test('commands in Markdown escape control characters', async () => {
  const text = JSON.stringify(ways['a toleration without end']![0]);
  const written = JSON.parse(text.replaceAll('"shop"', JSON.stringify('sh\u202e\u001b[31mop'))) as Written[];
  const answer = diagnosisAnswer({ ...(await diagnosed(written)), commandOf: () => undefined });
  const markdown = answer.forms!['markdown']!();
  expect(markdown).toContain("-n 'sh\\u202e^[[31mop'");
  expect(markdown).not.toMatch(/\u202e/);
});
