import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { ClientCertificate } from './credential.ts';
import type { Endpoint } from './resolvedEndpoint.ts';
import type { Trust } from './trust.ts';

/** How long an idle connection is kept. API servers keep them longer, so none is used that they are closing. */
const KEEP_IDLE = 15_000;

/** Node's own, whose types leave out what it is called with. */
interface Connecting {
  createConnection(
    options: { host: string; port: number },
    callback?: (error: Error | null, socket?: Socket) => void,
  ): Socket | undefined;
}

/** An address cannot be sent as the name that is meant (SNI), only be looked for in the certificate. */
function expecting(name: string): AgentOptions {
  if (isIP(name) === 0) return { servername: name };
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate) };
}

/** Keeps connections to one server, as one client, directly or through a proxy. */
export function createAgent(
  { server }: Pick<Endpoint, 'server'>,
  trust: Trust,
  certificate: ClientCertificate | undefined,
  proxy: URL | undefined,
): HttpAgent {
  const common: AgentOptions = { keepAlive: true, keepAliveMsecs: 15_000, timeout: KEEP_IDLE };
  // the default of 0.25 s gives up on distant servers that have several addresses
  Object.assign(common, { autoSelectFamilyAttemptTimeout: 2_500 });
  const agent =
    server.protocol === 'http:'
      ? new HttpAgent(common)
      : new HttpsAgent({
          ...common,
          ...(trust.ca ? { ca: trust.ca } : {}),
          ...(certificate ?? {}),
          ...(trust.serverName ? expecting(trust.serverName) : {}),
          ...(trust.insecure ? { rejectUnauthorized: false } : {}),
        });
  if (!proxy) return agent;
  const connecting = agent as unknown as Connecting;
  const direct = connecting.createConnection.bind(agent);
  connecting.createConnection = (options, callback) => {
    import('./proxyTunnel.ts')
      .then(({ openTunnel }) => openTunnel(proxy, options.host, options.port, trust))
      .then(
        (tunnel) => {
          const socket =
            server.protocol === 'http:' ? tunnel : direct({ ...options, socket: tunnel } as typeof options);
          callback?.(null, socket);
        },
        (error: Error) => callback?.(error),
      );
    return undefined;
  };
  return agent;
}
