import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LoadedState } from '../../src/state/source.ts';
import { stateFromFiles } from '../../src/state/fileSource.ts';

/** A directory for the files of one test. */
export class TemporaryFiles {
  readonly directory = mkdtempSync(join(tmpdir(), 'state-'));

  write(name: string, content: string | Buffer): string {
    const path = join(this.directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export function load(...paths: string[]): Promise<LoadedState> {
  return stateFromFiles(paths, () => []).load();
}

/** The StateError message of loading, without the test's directory. */
export async function problemOf(files: TemporaryFiles, ...paths: string[]): Promise<string> {
  try {
    await load(...paths);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'StateError') throw error;
    return error.message.replaceAll(`${files.directory}/`, '');
  }
  throw new Error('the state was accepted');
}

export function object(kind: string, name: string, rest: object = {}): Record<string, unknown> {
  return { apiVersion: apiVersions[kind] ?? 'v1', kind, metadata: { name, namespace: 'shop' }, ...rest };
}

export function binding(name: string, spec: object = {}): Record<string, unknown> {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace: 'shop' };
  return object('ResourceBinding', name, { spec: { resource, ...spec } });
}

export function listOf(...items: unknown[]): string {
  return JSON.stringify(
    { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } },
    null,
    4,
  );
}

const apiVersions: Record<string, string> = {
  Cluster: 'cluster.karmada.io/v1alpha1',
  ResourceBinding: 'work.karmada.io/v1alpha2',
  Work: 'work.karmada.io/v1alpha1',
  PropagationPolicy: 'policy.karmada.io/v1alpha1',
  ClusterTaintPolicy: 'policy.karmada.io/v1alpha1',
};
