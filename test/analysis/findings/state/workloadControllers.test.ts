import { describe, expect, test } from '@jest/globals';
import { diagnosed, explained } from './diagnosed.ts';
import { changed } from './healthyWorld.ts';

/** The findings about kube-controller-manager of the control plane, started with these words. */
async function found(command: string[], args?: string[]) {
  const manager = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'karmada-system', name: 'kube-controller-manager' },
    spec: { template: { spec: { containers: [{ name: 'manager', command, ...(args && { args }) }] } } },
  };
  const { findings } = await diagnosed([...changed({}), manager], { only: ['workload-controllers-run'] });
  return findings.map(({ message }) => message);
}

const PROGRAM = 'kube-controller-manager';

describe('kube-controller-manager of the control plane', () => {
  test.each([
    ['without --controllers, whose default is *', [PROGRAM]],
    ['with all controllers', [PROGRAM, '--controllers=*']],
    ['with a separate value', [PROGRAM, '--controllers', '*,-job']],
    [
      'with the name of Kubernetes v1.29',
      [PROGRAM, '--controllers=namespace-controller,deployment-controller'],
    ],
    ['in a shell', ['sh', '-c', `exec /usr/bin/${PROGRAM} --controllers=*`]],
  ])('%s runs the deployment controller', async (_, command) => {
    expect(await found(command)).toEqual([expect.stringMatching(/runs controllers of workloads/)]);
  });

  test.each([
    ['with other controllers', [PROGRAM, '--controllers=namespace,garbagecollector']],
    ['with a separate value', [PROGRAM, '--controllers', 'namespace,garbagecollector']],
    ['that excludes it', [PROGRAM, '--controllers=*,-deployment']],
    ['that excludes it by the name of Kubernetes v1.29', [PROGRAM, '--controllers=*,-deployment-controller']],
  ])('%s does not', async (_, command) => {
    expect(await found(command)).toEqual([]);
    expect(await found(command.slice(0, 1), command.slice(1))).toEqual([]);
  });
});

test('given kube-controller-manager that does not run, doctor warns, and no workload has a broken link', async () => {
  const manager = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'karmada-system', name: 'kube-controller-manager' },
    spec: { replicas: 1 },
    status: { replicas: 1, unavailableReplicas: 1 },
  };
  const { findings } = await diagnosed([...changed({}), manager]);
  expect(findings.map(({ check, severity }) => `${severity} ${check}`)).toEqual(['warning component-down']);
  expect(await explained()).toEqual([]);
});
