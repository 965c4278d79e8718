import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bed } from '../e2e/controlPlane/bed.ts';
import type { Random } from './random.ts';

/** Faults of a request with a single response. */
const requestFaults = {
  'reset before sending': 3,
  'lost answer': 4,
  'error after acting': 2,
  'truncated body': 2,
  'slow answer': 2,
  '429 with Retry-After': 1,
  '500': 2,
  '503': 2,
};

/** Faults of a watch. */
const watchFaults = { 'watch cut': 4, 'watch stalled': 1, 'watch too old': 2, ...requestFaults };

export type Fault = keyof typeof watchFaults | 'conflict' | 'list expired' | 'API server restart';

/** The stages of a write: not yet at the server, done by the server, answered to the client. */
export type WriteStage = 'before' | 'acted' | 'answered';

/** What always happens to writes of an object: refused, or accepted and reverted by a webhook. */
export type Poison = 'conflict' | 'invalid' | 'reverted';

export interface FaultProxyOptions {
  random: Random;
  /** fraction of requests that meet a fault, evaluated for each */
  share: () => number;
  /** fraction of writes whose object is first changed by another writer */
  conflicts: number;
  /** changes the object at that path as another writer */
  disturb: (path: string) => Promise<void>;
  /** called with every forwarded write, at each stage, with its path in the API */
  onWrite?: (stage: WriteStage, path: string) => void;
  /** by path in the API: objects that no client of this proxy can write */
  poisons?: ReadonlyMap<string, Poison>;
}

export interface FaultProxy {
  url: string;
  /** injected so far */
  readonly faults: Partial<Record<Fault, number>>;
  /** how often each of the poisoned objects was to be written, by path */
  readonly poisoned: ReadonlyMap<string, number>;
  count(fault: Fault): void;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * An HTTPS proxy in front of the bed's Karmada API server, with the same certificate. It breaks requests as networks, load balancers and
 * busy API servers do. The seed chooses the faults; which request meets which still depends on their order.
 */
export async function startFaultProxy(bed: Bed, options: FaultProxyOptions): Promise<FaultProxy> {
  const {
    random,
    share,
    conflicts,
    disturb,
    onWrite = () => undefined,
    poisons = new Map<string, Poison>(),
  } = options;
  const poisoned = new Map<string, number>();
  const faults: Partial<Record<Fault, number>> = {};
  const { server: upstream, ca } = bed.access();
  const agent = new Agent({ ca, keepAlive: true });
  const count = (fault: Fault): void => {
    faults[fault] = (faults[fault] ?? 0) + 1;
  };

  const connect = (incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { ...incoming.headers, host: new URL(upstream).host };
      delete headers.connection;
      delete headers['transfer-encoding'];
      if (body.length > 0) headers['content-length'] = String(body.length);
      const outgoing = request(
        new URL(incoming.url ?? '/', upstream),
        { method: incoming.method, headers, agent },
        resolve,
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  /** The result of a write after a reverting webhook: the unchanged object. */
  const asItIs = async ({ url, headers }: IncomingMessage): Promise<Answer> => {
    const { authorization } = headers;
    const get = {
      method: 'GET',
      url: url?.split('?')[0],
      headers: { authorization, accept: 'application/json' },
    };
    return answerOf(get as IncomingMessage, Buffer.alloc(0));
  };

  const answerOf = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    const response = await connect(incoming, body);
    return { status: response.statusCode ?? 502, headers: response.headers, body: await read(response) };
  };

  const answerOnce = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> => {
    const body = await read(incoming);
    const write = isWrite(incoming);
    if (fault === 'reset before sending') return drop(incoming);
    if (fault === '429 with Retry-After')
      return sayNo(outgoing, 429, 'TooManyRequests', { 'retry-after': '1' });
    if (fault === '500') return sayNo(outgoing, 500, 'InternalError');
    if (fault === '503') return sayNo(outgoing, 503, 'ServiceUnavailable');
    if (fault === 'list expired') return sayNo(outgoing, 410, 'Expired');
    if (fault === 'slow answer') await sleep(random.between(200, 3000));
    const poison = write ? poisons.get(pathOf(incoming)) : undefined;
    if (poison) {
      poisoned.set(pathOf(incoming), (poisoned.get(pathOf(incoming)) ?? 0) + 1);
      if (poison === 'conflict') return sayNo(outgoing, 409, 'Conflict');
      if (poison === 'invalid') return sayNo(outgoing, 422, 'Invalid');
      const { status, headers, body: unchanged } = await asItIs(incoming);
      outgoing.writeHead(status, withoutHops(headers, unchanged.length));
      return void outgoing.end(unchanged);
    }
    if (write && random.chance(conflicts)) {
      count('conflict');
      await disturb(pathOf(incoming));
    }
    if (write) onWrite('before', pathOf(incoming));
    const answer = await answerOf(incoming, body);
    if (write) onWrite('acted', pathOf(incoming));
    if (fault === 'lost answer') return drop(incoming);
    if (fault === 'error after acting') return sayNo(outgoing, 504, 'Timeout');
    outgoing.writeHead(answer.status, withoutHops(answer.headers, answer.body.length));
    if (fault === 'truncated body') {
      outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length * random.next())));
      // events about earlier writes are sent first
      setTimeout(() => drop(incoming), 20);
      return;
    }
    outgoing.end(answer.body);
    if (write) onWrite('answered', pathOf(incoming));
  };

  const answerWatch = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> => {
    if (fault === 'watch too old') {
      if (random.chance(0.5)) return sayNo(outgoing, 410, 'Expired');
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(`${JSON.stringify({ type: 'ERROR', object: statusOf(410, 'Expired') })}\n`);
      return;
    }
    const response = await connect(incoming, Buffer.alloc(0));
    const { 'content-length': _, ...headers } = withoutHops(response.headers, 0);
    outgoing.writeHead(response.statusCode ?? 502, headers);
    outgoing.flushHeaders();
    let broken = false;
    outgoing.on('close', () => response.destroy());
    response.on('data', (chunk: Buffer) => {
      if (!broken) outgoing.write(chunk);
    });
    response.on('end', () => {
      if (!broken) outgoing.end();
    });
    response.on('error', () => drop(incoming));
    if (fault === 'watch stalled') setTimeout(() => (broken = true), random.between(0, 3000));
    if (fault === 'watch cut') {
      // in the middle of an event if one comes in time
      setTimeout(
        () => {
          broken = true;
          const last = setTimeout(() => drop(incoming), 1000);
          response.once('data', (chunk: Buffer) => {
            clearTimeout(last);
            outgoing.write(chunk.subarray(0, Math.floor(chunk.length / 2)));
            setTimeout(() => drop(incoming), 20);
          });
        },
        random.between(0, 4000),
      );
    }
  };

  const faultFor = (incoming: IncomingMessage): Fault | undefined => {
    if (!random.chance(share())) return undefined;
    const query = new URL(incoming.url ?? '/', upstream).searchParams;
    if (isWatch(query)) {
      const {
        'lost answer': _,
        'error after acting': _e,
        'truncated body': _t,
        'slow answer': _s,
        ...weights
      } = watchFaults;
      return random.pick(weights);
    }
    if (query.has('continue') && random.chance(0.2)) return 'list expired';
    return random.pick(requestFaults);
  };

  const server = createServer(
    {
      cert: readFileSync(join(bed.file.directory, 'server.crt')),
      key: readFileSync(join(bed.file.directory, 'server.key')),
    },
    (incoming, outgoing) => {
      outgoing.on('error', () => undefined);
      incoming.on('error', () => undefined);
      const fault = faultFor(incoming);
      if (fault) count(fault);
      const watch = isWatch(new URL(incoming.url ?? '/', upstream).searchParams);
      const once = !watch || (fault !== undefined && fault in requestFaults);
      (once ? answerOnce : answerWatch)(incoming, outgoing, fault).catch(() => drop(incoming));
    },
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    poisoned,
    count,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isWatch = (query: URLSearchParams): boolean => ['true', '1'].includes(query.get('watch') ?? '');

/** A write of an object: not a review, nor a dry run. */
function isWrite({ method = 'GET', url = '' }: IncomingMessage): boolean {
  return ['PATCH', 'PUT', 'DELETE'].includes(method) && !url.includes('dryRun=');
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?')[0] ?? '/';

const drop = (incoming: IncomingMessage): void => void incoming.socket.destroy();

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function withoutHops(headers: IncomingHttpHeaders, length: number): Record<string, string | string[]> {
  const { connection: _, 'transfer-encoding': _t, ...rest } = headers;
  return { ...(rest as Record<string, string | string[]>), 'content-length': String(length) };
}

const statusOf = (code: number, reason: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `injected: ${reason}`,
  reason,
  code,
});

function sayNo(
  outgoing: ServerResponse,
  code: number,
  reason: string,
  headers: Record<string, string> = {},
): void {
  outgoing.writeHead(code, { 'content-type': 'application/json', ...headers });
  outgoing.end(JSON.stringify(statusOf(code, reason)));
}
