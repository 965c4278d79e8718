import { describe, expect, test } from '@jest/globals';
import { diagnosed } from './diagnosed.ts';
import { changed, type Written } from './healthyWorld.ts';

// karmada-descheduler and the karmada-scheduler-estimator of each member: their flags are checked as those of other components.

const deployment = (binary: string, name: string, ...flags: string[]): Written => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'karmada-system', name },
  spec: {
    replicas: 1,
    template: {
      spec: {
        containers: [
          { name, image: `docker.io/karmada/${binary}:v1.18.2`, command: [`/bin/${binary}`, ...flags] },
        ],
      },
    },
  },
  status: { replicas: 1, readyReplicas: 1 },
});

const DESCHEDULER = [
  '--kubeconfig=/etc/karmada/config/karmada.config',
  '--leader-elect-resource-namespace=karmada-system',
  '--scheduler-estimator-ca-file=/etc/karmada/pki/ca.crt',
  '--unschedulable-threshold=5m',
  '--v=4',
];

/** The healthy control plane with both, and these arguments besides the usual ones. */
async function found({ descheduler = [], estimator = [] }: Record<string, string[]>) {
  const estimators = ['member1', 'member2'].map((cluster) =>
    deployment(
      'karmada-scheduler-estimator',
      `karmada-scheduler-estimator-${cluster}`,
      ...['--kubeconfig=/etc/member.config', `--cluster-name=${cluster}`, '--parallelism=16'],
      ...(cluster === 'member2' ? estimator : []),
    ),
  );
  const more = deployment('karmada-descheduler', 'karmada-descheduler', ...DESCHEDULER, ...descheduler);
  const { findings } = await diagnosed([...changed({}), more, ...estimators]);
  return findings.filter(({ severity }) => severity !== 'note');
}

describe('doctor', () => {
  test('finds nothing in the usual arguments of the descheduler and the estimators', async () =>
    expect(await found({})).toEqual([]));

  test.each<[flag: string, says: RegExp]>([
    ['--descheduling-interval=2', /is not a duration .* does not start with it/],
    ['--unschedulable-threshold=-1m', /is not a duration .* 0 or more/],
    [
      '--secure-port=10358',
      /is unknown to karmada-descheduler v1\.18\.2 \(Karmada has it before v1\.12\.0\)/,
    ],
    ['--rate-limiter-qps=10', /is unknown to karmada-descheduler/],
  ])('finds %s of the descheduler', async (flag, says) => {
    expect(await found({ descheduler: [flag] })).toMatchObject([
      {
        check: 'unknown-flag',
        message: expect.stringMatching(says),
        objects: [{ kind: 'Deployment', name: 'karmada-descheduler' }],
      },
    ]);
  });

  test('finds a flag of an older release in the second estimator, and removes it there', async () => {
    const [finding, ...others] = await found({ estimator: ['--bind-address=0.0.0.0'] });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      check: 'unknown-flag',
      message: expect.stringMatching(/karmada-scheduler-estimator-member2: --bind-address is unknown/),
      objects: [{ name: 'karmada-scheduler-estimator-member2' }],
      remedy: { commands: [expect.arrayContaining(['karmada-scheduler-estimator-member2'])] },
    });
  });
});
