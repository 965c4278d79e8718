import { createServer as createHttpServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createAuthority, issue } from './certificates.ts';
import type { Authority, Certificate } from './certificates.ts';

/** A request as the server received it. */
export interface Seen {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** common name of the client's certificate */
  client: string | undefined;
  /** port of the client: the same for requests on one connection */
  connection: number | undefined;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string | string[]>;
  /** JSON, or unchanged text */
  body?: unknown;
}

/** A server's reaction to a request: a reply, or direct use of the response. */
export type Handler = (
  request: Seen,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

export interface FakeHttpServer {
  url: string;
  port: number;
  requests: Seen[];
  handle: Handler;
  authority: Authority;
  /** Drops all connections and stops listening. */
  close(): Promise<void>;
}

const authority = createAuthority();
const ordinary = issue(authority, 'server', { hosts: ['localhost', '127.0.0.1'] });

/** An HTTPS server on 127.0.0.1 with a test's responses. */
export async function fakeHttpServer(
  handle: Handler = () => ({ body: {} }),
  {
    certificate = ordinary,
    plain = false,
    port = 0,
  }: { certificate?: Certificate; plain?: boolean; port?: number } = {},
): Promise<FakeHttpServer> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    void receive(request, response);
  };
  const server: Server = plain
    ? createHttpServer(answer)
    : createServer(
        { ...certificate, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
        answer,
      );
  const connections = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.address() as AddressInfo;
  const fake: FakeHttpServer = {
    url: `${plain ? 'http' : 'https'}://127.0.0.1:${actual}`,
    port: actual,
    requests: [],
    handle,
    authority,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
  return fake;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece as string;
    const subject = plain ? undefined : (request.socket as TLSSocket).getPeerCertificate().subject;
    const seen: Seen = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body,
      client: subject?.CN as string | undefined,
      connection: request.socket.remotePort,
    };
    fake.requests.push(seen);
    const reply = await fake.handle(seen, response);
    if (!reply) return;
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(text);
  }
}

/** A metav1.Status as API servers send it with refusals. */
export function status(code: number, reason: string, message: string, more: object = {}): Reply {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code, ...more },
  };
}
