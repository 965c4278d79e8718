import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { ClientCertificate } from './credential.ts';
import type { Endpoint } from './resolvedEndpoint.ts';

export interface Trust {
  ca?: Buffer | undefined;
  insecure: boolean;
  serverName?: string | undefined;
}

/** Creates the agent for connections to one server, secure or not. */
export type MakeAgent = (secure: boolean, options: AgentOptions) => HttpAgent;

/**
 * How long an idle connection is kept (milliseconds): shorter than on API servers, so that no request uses a closing
 * connection.
 */
const KEEP_IDLE = 15_000;

/** An IP address cannot be sent as the server name (SNI); it is only matched against the certificate. */
function expecting(name: string): AgentOptions {
  if (isIP(name) === 0) return { servername: name };
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate) };
}

/** Keeps one client's connections to one server, direct or through a proxy. */
export function createAgent(
  { server }: Pick<Endpoint, 'server'>,
  trust: Trust,
  certificate: ClientCertificate | undefined,
  throughProxy: MakeAgent | undefined,
): HttpAgent {
  const options: AgentOptions = { keepAlive: true, keepAliveMsecs: 15_000, timeout: KEEP_IDLE };
  // the default of 0.25 s is too short for distant servers with several addresses
  Object.assign(options, { autoSelectFamilyAttemptTimeout: 2_500 });
  const secure = server.protocol === 'https:';
  if (secure)
    Object.assign(options, {
      ...(trust.ca ? { ca: trust.ca } : {}),
      ...(certificate ?? {}),
      ...(trust.serverName ? expecting(trust.serverName) : {}),
      ...(trust.insecure ? { rejectUnauthorized: false } : {}),
    });
  if (throughProxy) return throughProxy(secure, options);
  return secure ? new HttpsAgent(options) : new HttpAgent(options);
}
