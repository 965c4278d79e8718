import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScrapedMetrics } from './promMetrics.ts';

export interface ProbeServerOptions {
  /** undefined: all addresses */
  host: string | undefined;
  /** 0: any that is free */
  port: number;
  metrics: Pick<ScrapedMetrics, 'text' | 'contentType'>;
  /** why it is not ready; undefined if it is */
  notReady: () => string | undefined;
}

export interface ProbeServer {
  /** the port that it listens at */
  port: number;
  close(): Promise<void>;
}

/** Milliseconds for a whole request: probes and scrapes are short. */
const LONGEST_REQUEST = 10_000;

/**
 * Serves what kubelets and Prometheus ask of a program: /healthz (an answer shows that the event loop runs), /readyz
 * (200, or 500 with the reason), /metrics. Only GET and HEAD; nothing of a request is read. Rejects if it cannot
 * listen.
 */
export async function openProbeServer(options: ProbeServerOptions): Promise<ProbeServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8'): void =>
      void response
        .writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
        .end(request.method === 'HEAD' ? undefined : body);
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'method not allowed\n');
    switch (request.url?.split('?', 1)[0]) {
      case '/healthz':
        return answer(200, 'ok');
      case '/readyz': {
        const reason = options.notReady();
        return reason === undefined ? answer(200, 'ok') : answer(500, `${reason}\n`);
      }
      case '/metrics':
        return void options.metrics.text().then(
          (text) => answer(200, text, options.metrics.contentType),
          () => answer(500, 'the metrics cannot be written\n'),
        );
      default:
        return answer(404, 'not found\n');
    }
  });
  server.requestTimeout = LONGEST_REQUEST;
  server.headersTimeout = LONGEST_REQUEST;
  await listening(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { host, port }: ProbeServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
