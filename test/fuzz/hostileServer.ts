import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { answering } from '../state/live/answering.ts';
import { placeOf } from '../state/live/objectStore.ts';
import { servingObjects } from '../state/live/servingObjects.ts';
import { TOKEN } from './documents.ts';
import type { Json, Manifest } from './world.ts';

/** The objects of a server, and how it answers. */
export type Served = {
  items: Manifest[];
  /** the text of a Warning header on each response */
  warning?: string;
  /** a response instead of the real one to this many requests from this one on; optionally only to writes */
  refusal?: { from: number; count: number; ofWrites: boolean; status: number; body: Json };
  /** lines of every watch, before its own events */
  events?: Json[];
  /** what tables of names say about each */
  cell?: string;
  /** responses at paths without objects, such as OpenAPI */
  documents?: { [path: string]: Json };
  /** how every watch breaks: with these characters, followed by an end or a reset */
  breaks?: { text: string; ends: 'stays' | 'ends' | 'resets' };
  /** the response to each Event that is written */
  refusedEvents?: { status: number; body: Json };
};

/** A server on this machine, for the whole process. Its content changes with each input. */
export class HostileServer {
  #answer: RequestListener = () => undefined;
  #stored: () => readonly KubernetesObject[] = () => [];
  #requests = 0;
  readonly #server = createServer((request, response) => {
    this.#requests++;
    this.#answer(request, response);
  });

  /** Serves this from now on; returns a kubeconfig. */
  async serve(served: Served): Promise<Manifest> {
    if (!this.#server.listening) {
      await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
      this.#server.unref();
    }
    this.#server.closeAllConnections();
    const { answer, stored } = answerOf(served);
    this.#answer = answer;
    this.#stored = stored;
    const { port } = this.#server.address() as AddressInfo;
    return {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'karmada',
      clusters: [{ name: 'karmada', cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: 'somebody', user: { token: TOKEN } }],
      contexts: [{ name: 'karmada', context: { cluster: 'karmada', user: 'somebody' } }],
    };
  }

  /** Its objects now, after writes. */
  get stored(): readonly KubernetesObject[] {
    return this.#stored();
  }

  /** The number of requests so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Stops serving. */
  end(): void {
    this.#answer = (_, response) => void response.destroy();
    this.#server.closeAllConnections();
  }
}

interface Answering {
  answer: RequestListener;
  stored: () => readonly KubernetesObject[];
}

function answerOf(served: Served): Answering {
  const { items, warning, refusal, events = [], cell, documents = {}, breaks, refusedEvents } = served;
  const fake = servingObjects(items as unknown as KubernetesObject[], { documents });
  const usual = answering(fake);
  let asked = 0;
  const isRefused = ({ method }: IncomingMessage): boolean => {
    if (!refusal || (refusal.ofWrites && method === 'GET')) return false;
    return asked >= refusal.from && asked++ < refusal.from + refusal.count;
  };
  const answer: RequestListener = (request, response) => {
    if (warning !== undefined) response.setHeader('warning', `299 - "${inHeader(warning)}"`);
    if (isRefused(request)) return refuse(response, refusal!);
    if (!refusal || asked < refusal.from) asked++;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    if (refusedEvents && request.method !== 'GET' && EVENTS.test(pathname))
      return refuse(response, refusedEvents);
    if (request.headers.accept?.includes('as=Table'))
      return void response.end(JSON.stringify(table(items, pathname, cell)));
    try {
      usual(request, withStatus(response));
    } catch {
      // a path that no object has
      return void response.writeHead(404).end();
    }
    if (searchParams.get('watch') !== 'true') return;
    for (const event of events.filter((one) => isAbout(one, pathname)))
      response.write(`${JSON.stringify(event)}\n`);
    if (breaks) breakOff(response, breaks);
  };
  return { answer, stored: () => fake.store.all() };
}

/** The path of Events, and of each. */
const EVENTS = /\/events(?:\/[^/]*)?$/;

function breakOff(response: ServerResponse, { text, ends }: NonNullable<Served['breaks']>): void {
  if (text !== '') response.write(text);
  if (ends === 'ends') response.end();
  // earlier writes are sent first
  if (ends === 'resets') setImmediate(() => response.destroy());
}

/** A response that the fake does not implement is not its answer. */
function withStatus(response: ServerResponse): ServerResponse {
  const { writeHead } = response;
  response.writeHead = ((code: number | undefined, ...rest: []) => {
    if (code !== undefined) return writeHead.call(response, code, ...rest);
    response.end = () => response;
    return response.destroy();
  }) as typeof writeHead;
  return response;
}

/** Whether a watch of this path would report it: values other than objects match no path. */
function isAbout(event: Json, path: string): boolean {
  const { type, object } = (event ?? {}) as { type?: string; object?: Manifest | null };
  if (!object || type === 'ERROR') return true;
  const { kind, metadata } = object as { kind?: unknown; metadata?: { namespace?: string } | null };
  if (typeof kind !== 'string') return true;
  const { resource, namespace } = placeOf(path);
  return resource === pluralOf(kind) && (namespace === undefined || namespace === metadata?.namespace);
}

const pluralOf = (kind: string): string => {
  const plural = kind.toLowerCase().replace(/y$/, 'ie');
  return `${plural}s`;
};

function refuse(response: ServerResponse, { status, body }: { status: number; body: Json }): void {
  const isText = typeof body === 'string';
  response
    .writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' })
    .end(isText ? body : JSON.stringify(body));
}

/** The part that a header can contain. */
function inHeader(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return bytes.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ').replace(/["\\]/g, '\\$&');
}

/** The columns of kubectl get: names and, for clusters, whether they are ready. */
function table(items: readonly Manifest[], path: string, cell = 'True'): Json {
  const { resource } = placeOf(path);
  return {
    kind: 'Table',
    columnDefinitions: [{ name: 'Name' }, { name: 'Ready' }],
    rows: items
      .filter(({ kind }) => typeof kind === 'string' && resource === pluralOf(kind))
      .map(({ metadata }) => ({
        cells: [(metadata as Manifest)['name'] ?? null, cell],
        object: { metadata: metadata ?? null },
      })),
  };
}
