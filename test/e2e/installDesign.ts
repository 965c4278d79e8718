import { execFileSync } from 'node:child_process';
import type { PropagationSpec } from '../../src/karmada/api/policy.ts';
import type { Bed } from './controlPlane/bed.ts';
import { binary } from './controlPlane/binaries.ts';
import { eventually } from './controlPlane/processes.ts';
import { endsWith } from './tool.ts';

const GROUPS = {
  'policy.karmada.io/v1alpha1': ['propagationpolicies', 'clusterpropagationpolicies', 'clustertaintpolicies'],
  'work.karmada.io/v1alpha2': ['resourcebindings', 'clusterresourcebindings'],
};
/** The components that read these kinds, and take part in the design. */
const READERS = ['karmada-controller-manager', 'karmada-scheduler'];

/**
 * Adds the design's fields to the CRDs of a bed, as printed by our own command, and restarts Karmada's components once the API serves them:
 * older watches may briefly use the old CRDs, and their data lack the fields.
 */
export async function installDesign(bed: Bed): Promise<void> {
  const args = ['controller', 'manifests', '--for', 'karmada', '--karmada-version=proposal'];
  const { stdout } = await endsWith(bed, 0, ...args);
  execFileSync(
    binary('kubectl'),
    ['--kubeconfig', bed.kubeconfig, 'apply', '--server-side', '--force-conflicts', '-f', '-'],
    { input: stdout, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  const api = bed.api();
  await eventually('an API that keeps the fields of the design', async () => {
    for (const [group, plurals] of Object.entries(GROUPS))
      for (const plural of plurals) await api.list(`/apis/${group}/${plural}`);
    return (await tried(bed)).spec.failover?.cluster?.tolerationSeconds === 1;
  });
  for (const name of READERS) {
    await bed.kill(name);
    bed.restart(name);
  }
}

/** A policy with a field of the design as the API server would store it, by a dry run. */
function tried(bed: Bed): Promise<{ spec: PropagationSpec }> {
  const spec: PropagationSpec = {
    resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'tried' }],
    placement: { clusterAffinity: { clusterNames: ['tried'] } },
    failover: { cluster: { tolerationSeconds: 1 } },
  };
  return bed
    .api()
    .create('/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies?dryRun=All', {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name: 'tried' },
      spec,
    });
}
