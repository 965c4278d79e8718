import type { ApiServer } from '../../state/live/apiServer.ts';
import { servedVersion } from '../../state/live/served/servedVersion.ts';

/** The versions that a control plane reports. */
interface ServerVersion {
  url: string;
  /** of its API server; absent if it does not report one */
  kubernetesVersion?: string | undefined;
  /** inferred from its API */
  karmada?: { version: string; source: string } | undefined;
}

/** Asks a control plane for its versions, then closes the connection. Rejects with ApiError if it cannot be reached. */
export async function serverVersion(server: ApiServer): Promise<ServerVersion> {
  const stop = new AbortController();
  try {
    const [karmada, kubernetes] = await Promise.all([
      servedVersion(server, stop.signal),
      server.get<{ gitVersion?: unknown }>('/version'),
    ]);
    const { gitVersion } = kubernetes;
    const kubernetesVersion = typeof gitVersion === 'string' ? gitVersion : undefined;
    return { url: server.url, kubernetesVersion, karmada };
  } finally {
    stop.abort();
    server.close();
  }
}
