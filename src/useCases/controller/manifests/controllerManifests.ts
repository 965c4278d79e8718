import { hasOneQueue } from '../../../karmada/configuration/taintEviction.ts';
import { dialectOf, newestReleased } from '../../../karmada/dialects/dialects.ts';
import type { ApiServer } from '../../../state/live/apiServer.ts';
import { apiPath, type ApiResource } from '../../../state/live/resources.ts';
import type { InputNames } from '../../ports.ts';
import { versionOf } from '../chooseRules.ts';
import { readSettings, settingOf, type GivenSetting } from '../settings.ts';
import { controlPlaneManifests, type AnyManifest } from './controlPlaneManifests.ts';
import { designedKinds, withDesignFields } from './designFields.ts';
import { hostManifests, type HostOptions } from './hostManifests.ts';

export interface ManifestsRequest extends Omit<HostOptions, 'settings'> {
  given: readonly GivenSetting[];
  /** the CRDs to which the designs add fields; undefined: read from the control plane if needed */
  crds: readonly AnyManifest[] | undefined;
  connect: () => Promise<ApiServer>;
  names: Pick<InputNames, 'assume' | 'version'>;
}

interface ControllerManifests {
  /** to the Karmada API server: CRDs, account and rights */
  karmada: readonly AnyManifest[];
  /** to the cluster that Karmada's components run in */
  host: readonly AnyManifest[];
  /** kinds that need fields but whose CRDs were not given */
  missing: readonly string[];
  /** whether Prometheus can scrape the metrics */
  scraped: boolean;
}

const CRD: ApiResource = {
  kind: 'CustomResourceDefinition',
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  namespaced: false,
};

const CRD_NAMES: Readonly<Record<string, string>> = {
  ClusterTaintPolicy: 'clustertaintpolicies.policy.karmada.io',
  PropagationPolicy: 'propagationpolicies.policy.karmada.io',
  ClusterPropagationPolicy: 'clusterpropagationpolicies.policy.karmada.io',
  ResourceBinding: 'resourcebindings.work.karmada.io',
  ClusterResourceBinding: 'clusterresourcebindings.work.karmada.io',
};

/**
 * All manifests for `controller run` with these settings: for the control plane and for its host cluster. The CRDs that
 * the designs need are the current ones plus fields. Rejects with a Problem for wrong settings, with ApiError if a CRD
 * cannot be read.
 */
export async function controllerManifests(request: ManifestsRequest): Promise<ControllerManifests> {
  const { given, namespace, tlsSecret } = request;
  const version = versionOf(settingOf(given, 'karmada-version')) ?? newestReleased;
  const { dialect } = dialectOf(version);
  const { leaderElection, configuration } = readSettings(given, dialect, request.names);
  const kinds = designedKinds(configuration.rules);
  const crds = kinds.length === 0 ? [] : (request.crds ?? (await readCrds(request.connect, kinds)));
  const designed = crds.flatMap((crd) => withDesignFields(crd, configuration.rules) ?? []);
  const found = new Set(designed.map(({ metadata }) => metadata.name));
  return {
    karmada: [
      ...designed,
      ...controlPlaneManifests({
        namespace,
        lease: leaderElection,
        oneQueue: hasOneQueue(configuration.rules),
        reviews: tlsSecret !== undefined,
      }),
    ],
    host: hostManifests({ ...request, settings: settingsFile(given) }),
    missing: kinds.filter((kind) => !found.has(CRD_NAMES[kind]!)),
    scraped: tlsSecret !== undefined,
  };
}

async function readCrds(
  connect: ManifestsRequest['connect'],
  kinds: readonly string[],
): Promise<AnyManifest[]> {
  const server = await connect();
  try {
    return await Promise.all(
      kinds.map((kind) => server.get<AnyManifest>(apiPath(CRD, undefined, CRD_NAMES[kind]))),
    );
  } finally {
    server.close();
  }
}

/** The settings as a configuration file: if one is given twice the later one counts; gates are joined. */
function settingsFile(given: readonly GivenSetting[]): Record<string, unknown> {
  const gates = given.filter(({ name }) => name === 'feature-gates').map(({ value }) => String(value));
  const others = given.filter(({ name }) => name !== 'feature-gates');
  return {
    ...Object.fromEntries(others.map(({ name, value }) => [name, value])),
    ...(gates.length > 0 && { 'feature-gates': gates.join(',') }),
  };
}
