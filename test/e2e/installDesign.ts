import { execFileSync } from 'node:child_process';
import type { Bed } from './controlPlane/bed.ts';
import { binary } from './controlPlane/binaries.ts';
import { endsWith } from './tool.ts';

/** Gives the CRDs of a bed the design's fields, as our own command prints them for people. */
export async function installDesign(bed: Bed): Promise<void> {
  const args = ['controller', 'manifests', '--for', 'karmada', '--karmada-version=proposal'];
  const { stdout } = await endsWith(bed, 0, ...args);
  execFileSync(
    binary('kubectl'),
    ['--kubeconfig', bed.kubeconfig, 'apply', '--server-side', '--force-conflicts', '-f', '-'],
    { input: stdout, stdio: ['pipe', 'ignore', 'inherit'] },
  );
}
