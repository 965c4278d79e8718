import { request as httpRequest } from 'node:http';
import type { Agent, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createAgent, type MakeAgent, type Trust } from '../connection/agent.ts';
import { sharedByMany } from './linkedSignal.ts';
import type { ClientCertificate, Credential } from '../connection/credential.ts';
import type { Endpoint } from '../connection/resolvedEndpoint.ts';

/** Go's dialer and TLS handshake together. */
const CONNECT_WITHIN = 30_000;
/** Milliseconds that an answer may take from head to end, however slowly it arrives. */
const LONGEST_BODY = 600_000;

interface HttpRequest {
  method: string;
  /** from the API's root, with its query */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** milliseconds of silence allowed before the first byte and, unless `streaming`, between bytes */
  silence: number;
  streaming?: boolean;
}

/** No answer, or an incomplete one. */
export class TransportFailure extends Error {
  /** Node's code: ECONNREFUSED, ECONNRESET, ETIMEDOUT, ENOTFOUND, CERT_HAS_EXPIRED, …; EPROXY is ours */
  readonly code: string;
  /** whether the server may have received the request, and acted on it */
  readonly sent: boolean;

  constructor(cause: unknown, sent: boolean) {
    const error = cause as NodeJS.ErrnoException & { errors?: Error[] };
    super(error.message || error.errors?.[0]?.message || error.code || 'failed', { cause });
    this.code = error.code ?? 'EUNKNOWN';
    this.sent = sent;
  }
}

/** The code for an answer that would exhaust memory, or never ends. */
export const TOO_LARGE = 'ETOOLARGE';

/** The code for a request that cannot be made at all. */
const UNSENDABLE = 'EUNSENDABLE';

/** The error that stops reading an answer that is too large. */
export function tooLarge(bytes: number): Error {
  const size = `${Math.floor(bytes / (1024 * 1024))} MiB`;
  return Object.assign(new Error(`its answer has more than ${size}; is it an API server?`), {
    code: TOO_LARGE,
  });
}

/** Explains why Node refuses headers or certificates; its own message may repeat parts of a secret. */
function sendable<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const { code = '', reason } = error as NodeJS.ErrnoException & { reason?: string };
    if (code !== 'ERR_INVALID_CHAR' && !/^ERR_(?:OSSL|CRYPTO)/.test(code)) throw error;
    const what =
      code === 'ERR_INVALID_CHAR'
        ? 'the token, or a name in --as, has characters that no header may have; check the user in the kubeconfig'
        : `the client certificate and its key cannot be used${reason ? ` (${reason})` : ''}; check the user in the kubeconfig`;
    throw new TransportFailure(Object.assign(new Error(what), { code: UNSENDABLE }), false);
  }
}

/** Sends requests over persistent connections; retries nothing. */
export interface Transport {
  /** Resolves to the answer's head. Rejects with a TransportFailure, or with the signal's reason. */
  send(request: HttpRequest, credential: Credential): Promise<IncomingMessage>;
  /** The whole body of an answer, still compressed. Rejects like `send`, and with TOO_LARGE beyond `most` bytes. */
  body(response: IncomingMessage, most: number, signal?: AbortSignal): Promise<Buffer>;
  /** Drops idle connections, after one of them turned out to be dead. */
  dropIdle(): void;
  close(): void;
}

/** @param throughProxy creates agents, if there is a proxy */
export function createTransport(
  endpoint: Endpoint,
  trust: Trust,
  throughProxy: MakeAgent | undefined,
): Transport {
  const { server } = endpoint;
  const secure = server.protocol === 'https:';
  const prefix = server.pathname.replace(/\/+$/, '');
  const address = {
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: Number(server.port || (secure ? 443 : 80)),
  };
  let agent: Agent | undefined;
  let agentCertificate: ClientCertificate | undefined;
  // a rotated certificate needs new connections
  const agentFor = ({ certificate }: Credential): Agent => {
    if (agent && certificate?.cert === agentCertificate?.cert) return agent;
    agent?.destroy();
    agentCertificate = certificate;
    return (agent = createAgent(endpoint, trust, certificate, throughProxy));
  };

  return {
    send({ method, path, headers, body, signal, silence, streaming }, credential) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (signal) sharedByMany(signal);
        let sent = false;
        const outgoing = sendable(() =>
          (secure ? httpsRequest : httpRequest)({
            ...address,
            method,
            path: prefix + path,
            agent: agentFor(credential),
            timeout: silence,
            headers: {
              ...headers,
              ...(credential.authorization ? { authorization: credential.authorization } : {}),
              ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
            },
            ...(signal ? { signal } : {}),
          }),
        );
        const timedOut = (what: string) => Object.assign(new Error(what), { code: 'ETIMEDOUT' });
        const connectTimer = setTimeout(
          () => outgoing.destroy(timedOut('no connection in time')),
          CONNECT_WITHIN,
        );
        outgoing.on('socket', (socket) => {
          const connected = () => {
            clearTimeout(connectTimer);
            sent = true;
          };
          if (socket.connecting || (secure && !outgoing.reusedSocket))
            socket.once(secure ? 'secureConnect' : 'connect', connected);
          else connected();
        });
        let answer: IncomingMessage | undefined;
        outgoing.on('timeout', () => {
          const error = timedOut('no answer in time');
          if (answer) answer.destroy(error);
          outgoing.destroy(error);
        });
        outgoing.on('error', (error) => {
          clearTimeout(connectTimer);
          reject(signal?.aborted ? signal.reason : new TransportFailure(error, sent));
        });
        // we never request another protocol, and only this event shows such an answer
        outgoing.on('upgrade', (_, socket) => {
          clearTimeout(connectTimer);
          socket.destroy();
          reject(
            new TransportFailure(
              Object.assign(new Error('its answer is another protocol'), { code: 'HPE_UPGRADE' }),
              true,
            ),
          );
        });
        outgoing.on('response', (response) => {
          clearTimeout(connectTimer);
          answer = response;
          if (streaming) outgoing.setTimeout(0);
          resolve(response);
        });
        outgoing.end(body);
      });
    },

    async body(response, most, signal) {
      const pieces: Buffer[] = [];
      let length = 0;
      const late = () =>
        response.destroy(Object.assign(new Error('the answer does not end'), { code: 'ETIMEDOUT' }));
      const limit = setTimeout(late, LONGEST_BODY);
      try {
        for await (const piece of response) {
          length += (piece as Buffer).length;
          if (length > most) throw tooLarge(most);
          pieces.push(piece as Buffer);
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw new TransportFailure(error, true);
      } finally {
        clearTimeout(limit);
      }
      return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    },

    dropIdle() {
      for (const sockets of Object.values(agent?.freeSockets ?? {}))
        for (const socket of sockets ?? []) socket.destroy();
    },

    close() {
      agent?.destroy();
      agent = undefined;
    },
  };
}
