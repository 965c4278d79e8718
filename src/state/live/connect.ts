import { promisify } from 'node:util';
import type { IncomingMessage } from 'node:http';
import { ApiError } from './apiError.ts';
import type { ApiServer, Query, RequestOptions, WriteOptions } from './apiServer.ts';
import type { ConnectionOptions } from './connection/connectionOptions.ts';
import { authority, credentialsFor } from './connection/credentials.ts';
import { resolveEndpoint } from './connection/endpoint.ts';
import type { Endpoint } from './connection/resolvedEndpoint.ts';
import { explainAnswer, explainFailure, explainNonsense } from './explain.ts';
import type { Status } from './explain.ts';
import { listAll } from './listPages.ts';
import { proxyFor } from './connection/proxy.ts';
import { mayRepeat, pauseBefore, retryAfterSeconds } from './retry.ts';
import type { Outcome } from './retry.ts';
import { serverClock } from './serverClock.ts';
import { realTiming } from './timing.ts';
import type { Timing } from './timing.ts';
import { createTransport, TransportFailure } from './transport.ts';
import { warningTexts } from './warningHeader.ts';
import { watchEvents } from './watchEvents.ts';
import type { Call, Send } from './call.ts';

export type { ConnectionOptions } from './connection/connectionOptions.ts';

/** How long a request is tried again where there is no --request-timeout. */
const TRY_FOR = 30_000;
/** The same before the server has ever answered: it is rather the address that is wrong. */
const TRY_FIRST_FOR = 3_000;
/** API servers end ordinary requests after 60 s themselves. */
const LONGEST_SILENCE = 75_000;
/** A watch is answered at once. */
const WATCH_ANSWERED_WITHIN = 30_000;

/** k8s.io/apiserver, notfoundhandler: the answer to everything until all paths are installed. */
const JUST_STARTED = /before all known HTTP paths have been installed/;

interface Surroundings {
  environment?: NodeJS.ProcessEnv;
  timing?: Timing;
}

/**
 * A connection to the API server that flags and kubeconfig name. No request is sent yet. Rejects with a StateError
 * where they contradict each other or name what is not there.
 */
export async function connect(
  options: ConnectionOptions,
  { environment = process.env, timing = realTiming }: Surroundings = {},
): Promise<ApiServer> {
  const endpoint = await resolveEndpoint(options, environment);
  const { cluster, server, requestTimeout } = endpoint;
  const secure = server.protocol === 'https:';
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  const ca =
    secure && !insecure ? ((await authority(cluster)) ?? (await rootsOfSystem(environment))) : undefined;
  const credentials = await credentialsFor(endpoint, timing);
  const proxy = proxyFor(server, cluster['proxy-url'], environment);
  const trust = { ca, insecure, serverName: cluster['tls-server-name'] };
  const transport = createTransport(endpoint, trust, proxy);
  const clock = serverClock(timing);
  const told = new Set<string>();
  let answered = false;
  const common = {
    'user-agent': 'karmada-failover',
    ...impersonation(endpoint),
  };

  /** One try. Resolves with the answer's head when its status is good; else throws an ApiError. */
  async function attempt(path: string, call: Call, streaming: boolean): Promise<IncomingMessage> {
    const method = call.method ?? 'GET';
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = {
      ...common,
      accept: call.accept ?? 'application/json',
      ...(streaming || cluster['disable-compression'] ? {} : { 'accept-encoding': 'gzip' }),
      ...(body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
    };
    const silence = streaming ? WATCH_ANSWERED_WITHIN : requestTimeout || LONGEST_SILENCE;
    const request = { method, path, headers, body, signal: call.signal, silence, streaming };
    for (let first = true; ; first = false) {
      const credential = await credentials.current();
      const sentAt = timing.now();
      const response = await transport.send(request, credential);
      answered = true;
      clock.heard(response.headers.date, sentAt);
      for (const text of warningTexts(response.headers['warning']))
        if (!told.has(text)) {
          told.add(text);
          options.warn?.(text);
        }
      const code = response.statusCode ?? 0;
      if (code < 300) return response;
      const text = await textOf(response, call.signal);
      if (code === 401 && first && (await credentials.refused(credential))) continue;
      const status = statusOf(text);
      const retryAfter =
        retryAfterSeconds(response.headers['retry-after']) ?? status?.details?.retryAfterSeconds;
      throw explainAnswer(code, status, text, { method, path }, endpoint, retryAfter);
    }
  }

  async function textOf(response: IncomingMessage, signal?: AbortSignal): Promise<string> {
    const bytes = await transport.body(response, signal);
    if (response.headers['content-encoding'] !== 'gzip') return bytes.toString('utf8');
    try {
      const { gunzip } = await import('node:zlib');
      return (await promisify(gunzip)(bytes, { chunkSize: 1 << 20 })).toString('utf8');
    } catch (error) {
      throw new TransportFailure(error, true);
    }
  }

  /** Repeats `work` while that may help and there is time. */
  async function persist<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const began = timing.now();
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        const { outcome, explained } = understand(error);
        if (!outcome || !mayRepeat(call.write ?? false, outcome)) throw explained;
        const pause = pauseBefore(failures, timing.random(), outcome.retryAfter);
        const patience = requestTimeout || (answered ? TRY_FOR : TRY_FIRST_FOR);
        // a connection that died unnoticed has used up all patience by itself; a new one deserves a try
        const again = failures === 1 && answered && requestTimeout === 0;
        if (timing.now() + pause - began > patience && !again) throw explained;
        // what was kept may be dead as well
        if (outcome.status === 0) transport.dropIdle();
        await timing.sleep(pause, call.signal);
      }
    }
  }

  function understand(error: unknown): { outcome?: Outcome; explained: unknown } {
    if (error instanceof TransportFailure) {
      const outcome = { status: 0, code: error.code, sent: error.sent };
      return { outcome, explained: explainFailure(error, endpoint) };
    }
    if (!(error instanceof ApiError) || error.status === 0) return { explained: error };
    const { status, retryAfter, cause } = error;
    const unseen = JUST_STARTED.test((cause as Status | undefined)?.message ?? '');
    return { outcome: { status, sent: true, retryAfter, unseen }, explained: error };
  }

  const send: Send = async (path, call) => {
    const limited = requestTimeout > 0 ? withTimeout(call, requestTimeout) : call;
    try {
      return await persist(limited, async () =>
        textOf(await attempt(withQuery(path, call.query), limited, false), limited.signal),
      );
    } catch (error) {
      if (limited.signal?.aborted && !call.signal?.aborted)
        throw explainFailure(
          new TransportFailure(Object.assign(new Error('--request-timeout'), { code: 'ETIMEDOUT' }), true),
          endpoint,
        );
      throw error;
    }
  };

  const parse = <T>(path: string, text: string): T => {
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw explainNonsense(path, endpoint, cause);
    }
  };

  const write = async <T>(
    path: string,
    call: Call,
    { dryRun, ...options }: WriteOptions = {},
  ): Promise<T> => {
    const query = { ...options.query, ...(dryRun ? { dryRun: 'All' } : {}) };
    return parse(path, await send(path, { ...options, ...call, query, write: true }));
  };

  return {
    url: server.href.replace(/\/$/, ''),
    context: endpoint.context,
    namespace: endpoint.namespace,
    now: clock.now,
    async get<T>(path: string, options: RequestOptions = {}) {
      return parse<T>(path, await send(path, options));
    },
    list: (path, options = {}) => listAll(send, (text) => parse(path, text), path, options),
    async *watch(path, resourceVersion, options = {}) {
      const query = {
        ...options.query,
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion,
        // as client-go: 5 to 10 minutes, so that not all clients come back at once
        timeoutSeconds: Math.floor(300 * (1 + timing.random())),
      };
      try {
        const response = await attempt(withQuery(path, query), { ...options, query: undefined }, true);
        options.opened?.();
        yield* watchEvents(response, (status) =>
          explainAnswer(status.code ?? 500, status, '', { method: 'GET', path }, endpoint, undefined),
        );
      } catch (error) {
        // what was kept beside a dead connection may be dead as well
        if (options.signal?.aborted || error instanceof TransportFailure) transport.dropIdle();
        if (options.signal?.aborted) throw options.signal.reason;
        throw understand(error).explained;
      }
    },
    patch: (path, body, options) =>
      write(path, { method: 'PATCH', body, contentType: 'application/merge-patch+json' }, options),
    create: (path, body, options) => write(path, { method: 'POST', body }, options),
    async can({ verb, group, resource, namespace }) {
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb, group, resource, ...(namespace ? { namespace } : {}) } },
      };
      try {
        const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
        const answer = await send(path, { method: 'POST', body });
        const { status } = parse<{ status?: { allowed?: boolean } }>(path, answer);
        return status?.allowed === true;
      } catch (error) {
        if (error instanceof ApiError) return true;
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

async function rootsOfSystem(environment: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
  const { systemRoots } = await import('./connection/systemRoots.ts');
  return systemRoots(environment);
}

function impersonation({ user }: Endpoint): Record<string, string | string[]> {
  if (!user.as) return {};
  const headers: Record<string, string | string[]> = { 'Impersonate-User': user.as };
  if (user['as-uid']) headers['Impersonate-Uid'] = user['as-uid'];
  if (user['as-groups']?.length) headers['Impersonate-Group'] = user['as-groups'];
  for (const [key, values] of Object.entries(user['as-user-extra'] ?? {}))
    headers[`Impersonate-Extra-${headerKey(key)}`] = values;
  return headers;
}

/** What may not stand in a header's name is percent-encoded, as the API server expects. */
function headerKey(key: string): string {
  return key.replace(/[^!#$&'*+.^_`|~0-9A-Za-z-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join(''),
  );
}

function withQuery(path: string, query: Query | undefined): string {
  const parameters = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return parameters.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${parameters.join('&')}`;
}

function withTimeout(call: Call, milliseconds: number): Call {
  const timeout = AbortSignal.timeout(milliseconds);
  return { ...call, signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout };
}

function statusOf(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const status = JSON.parse(text) as Status;
    return status.kind === 'Status' ? status : undefined;
  } catch {
    return undefined;
  }
}
