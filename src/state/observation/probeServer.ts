import { watchFile, unwatchFile } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { MIB, wholeFile } from '../input/wholeFile.ts';
import type { Scraper } from './scrapers.ts';
import type { ScrapedMetrics } from './promMetrics.ts';

/** PEM files with the server's certificate. */
interface ServingCertificate {
  certFile: string;
  keyFile: string;
}

export interface ProbeServerOptions {
  /** undefined: all addresses */
  host: string | undefined;
  /** 0: any free port */
  port: number;
  metrics: Pick<ScrapedMetrics, 'text' | 'contentType'>;
  /** why it is not ready; undefined if it is */
  notReady: () => string | undefined;
  /** additional pages by path, with the metrics' access rules; undefined: not available yet */
  pages?: Readonly<Record<string, () => ServedPage | undefined>>;
  /** absent: no TLS, and only local programs may read the metrics */
  secure?: SecureOptions | undefined;
}

export interface ServedPage {
  type: string;
  body: string;
}

export interface SecureOptions extends ServingCertificate {
  mayScrape: (request: IncomingMessage) => Promise<Scraper>;
  /** receives the reason why a renewed certificate is unusable; the server keeps the previous one */
  onFailure: (message: string) => void;
}

export interface ProbeServer {
  /** the port that it listens on */
  port: number;
  close(): Promise<void>;
}

/** Milliseconds for a whole request: probes and scrapes are short. */
const LONGEST_REQUEST = 10_000;
/** Milliseconds between two checks whether the certificate files have changed. */
const LOOK = 60_000;

/** The answers for clients that may not read the metrics. */
const REFUSED: Record<Exclude<Scraper, 'allowed'>, { status: number; body: string }> = {
  unknown: { status: 401, body: 'Unauthorized\n' },
  forbidden: { status: 403, body: 'Forbidden\n' },
  unreviewed: { status: 503, body: 'the token cannot be reviewed now\n' },
};

/**
 * Serves the endpoints for kubelet and Prometheus: /healthz (an answer shows that the event loop runs), /readyz (200,
 * or 500 with the reason), /metrics, and pages. Only GET and HEAD; request bodies are not read. Rejects if it cannot
 * listen, or read the certificate.
 */
export async function openProbeServer(options: ProbeServerOptions): Promise<ProbeServer> {
  const { secure, metrics, pages = {} } = options;
  const mayScrape = secure?.mayScrape ?? ofThisMachine;
  const listener: RequestListener = (request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8'): void =>
      void response
        .writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
        .end(request.method === 'HEAD' ? undefined : body);
    const ifAllowed = async (give: () => void | Promise<void>): Promise<void> => {
      const scraper = await mayScrape(request);
      if (scraper === 'allowed') return give();
      const { status, body } = REFUSED[scraper];
      answer(status, body);
    };
    const show = (page: () => ServedPage | undefined): void => {
      const shown = page();
      if (!shown) return answer(503, 'there is no answer yet\n');
      for (const [name, value] of Object.entries(OF_PAGES)) response.setHeader(name, value);
      answer(200, shown.body, shown.type);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'method not allowed\n');
    const path = request.url?.split('?', 1)[0] ?? '';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page && !secure && !isNamedLocally(request)) return answer(403, 'Forbidden\n');
    if (page)
      return void ifAllowed(() => show(page)).catch(() => answer(500, 'the page cannot be written\n'));
    switch (path) {
      case '/healthz':
        return answer(200, 'ok');
      case '/readyz': {
        const reason = options.notReady();
        return reason === undefined ? answer(200, 'ok') : answer(500, `${reason}\n`);
      }
      case '/metrics':
        return void ifAllowed(async () => answer(200, await metrics.text(), metrics.contentType)).catch(() =>
          answer(500, 'the metrics cannot be written\n'),
        );
      default:
        return answer(404, 'not found\n');
    }
  };
  const secureServer = secure && createSecureServer(await pairOf(secure), listener);
  const server = secureServer ?? createServer(listener);
  server.requestTimeout = LONGEST_REQUEST;
  server.headersTimeout = LONGEST_REQUEST;
  await listening(server, options);
  const unfollow = secureServer && followCertificate(secure, secureServer);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        unfollow?.();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A page is reloaded each minute, never cached, and never embedded in another page. */
const OF_PAGES = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  refresh: '60',
};

/** Whether a request names this machine: another site whose name resolves here must not read our page. */
function isNamedLocally({ headers: { host = '' } }: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}

/** Only programs on this machine. Mesh proxies forward others' requests from further addresses of 127.0.0.0/8. */
function ofThisMachine({ socket }: IncomingMessage): Promise<Scraper> {
  const local = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(socket.remoteAddress ?? '');
  return Promise.resolve(local ? 'allowed' : 'forbidden');
}

async function pairOf({ certFile, keyFile }: ServingCertificate): Promise<{ cert: Buffer; key: Buffer }> {
  const [cert, key] = await Promise.all([wholeFile(certFile, MIB), wholeFile(keyFile, MIB)]);
  return { cert, key };
}

/** Loads renewed certificates, until the returned function is called. */
function followCertificate(secure: SecureOptions, server: SecureServer): () => void {
  const renew = () =>
    void pairOf(secure)
      .then((pair) => server.setSecureContext(pair))
      .catch((error: unknown) => secure.onFailure((error as Error).message));
  const paths = [secure.certFile, secure.keyFile];
  for (const path of paths) watchFile(path, { interval: LOOK, persistent: false }, renew);
  return () => {
    for (const path of paths) unwatchFile(path, renew);
  };
}

function listening(server: Server | SecureServer, { host, port }: ProbeServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
