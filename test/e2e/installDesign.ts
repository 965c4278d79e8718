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
/** What reads these kinds, and takes part in what the design describes. */
const READERS = ['karmada-controller-manager', 'karmada-scheduler'];

/**
 * Gives the CRDs of a bed the design's fields, as our own command prints them for people, and starts Karmada's components again once the API
 * serves them: watches from before may continue for a moment by the CRDs as they were, and what is learnt from them lacks the fields.
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

/** A policy with a field of the design as the API server would keep it, by a dry run. */
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
