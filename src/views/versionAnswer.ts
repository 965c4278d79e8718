import type { Answer } from './answer.ts';
import type { Words } from '../presentation/model.ts';
import { asWarning } from '../presentation/words.ts';

export interface VersionInput {
  /** `bun`: the executable's runtime; `node` is then the Node version that it implements */
  client: { version: string; node: string; bun?: string };
  /** versions of Karmada whose behaviour this program knows */
  known: string[];
  /** absent if no control plane was queried */
  server?: {
    url: string;
    /** of its API server; absent if it does not report it */
    kubernetesVersion?: string | undefined;
    karmada?: { version: string; source: string } | undefined;
  };
}

/** The version of karmada-failover, the Karmada versions that it knows, and that of the control plane. */
export function versionAnswer({ client, known, server }: VersionInput): Answer {
  return {
    document: {
      kind: 'Version',
      schemaVersion: 'v1',
      client,
      knownKarmadaVersions: known,
      ...(server && {
        server: {
          url: server.url,
          kubernetesVersion: server.kubernetesVersion ?? null,
          karmadaVersion: server.karmada?.version ?? null,
          source: server.karmada?.source ?? null,
          known: server.karmada ? known.includes(server.karmada.version) : null,
        },
      }),
    },
    names: () => [],
    presentation() {
      const lines: [string, Words][] = [
        [
          'client',
          `${client.version}, on ${client.bun === undefined ? `Node ${client.node}` : `Bun ${client.bun}`}`,
        ],
        ['knows Karmada', known.join(', ')],
      ];
      if (server) {
        const { karmada } = server;
        const unknown = karmada && !known.includes(karmada.version) ? asWarning(', an unknown version') : '';
        lines.push(
          ['control plane', server.url],
          ['runs Karmada', karmada ? [karmada.version, unknown, ` (${karmada.source})`] : 'unknown'],
          ['its API server', server.kubernetesVersion ?? 'unknown'],
        );
      }
      return { blocks: [{ type: 'keyValues', entries: lines }] };
    },
  };
}
