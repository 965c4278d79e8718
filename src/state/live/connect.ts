import { isObject } from '../../kubernetes/json.ts';
import { parseJsonText } from '../json/jsonProblem.ts';
import { ApiError } from './apiError.ts';
import type { ApiServer, RequestOptions, WriteOptions } from './apiServer.ts';
import type { ConnectionOptions } from './connection/connectionOptions.ts';
import { authority, credentialsFor } from './connection/credentials.ts';
import { resolveEndpoint } from './connection/endpoint.ts';
import type { Endpoint } from './connection/resolvedEndpoint.ts';
import { explainAnswer, explainInvalidAnswer } from './requests/explainFailure.ts';
import { itemViolation, pageViolation, listAll } from './listPages.ts';
import { newestOfEach } from './newestOfEach.ts';
import { withRedaction, redactorOf } from './connection/secrets.ts';
import { proxyFor } from './connection/proxy.ts';
import { createRequester } from './requests/requester.ts';
import { serverClock } from './requests/serverClock.ts';
import { readStatus } from './requests/serverStatus.ts';
import { realTiming } from './mirrors/timing.ts';
import type { Timing } from './mirrors/timing.ts';
import { createTransport, TransportFailure } from './requests/transport.ts';
import { watchEvents } from './mirrors/watchEvents.ts';
import type { Call } from './requests/call.ts';
import { checkAt, checkedObject } from './checkedObject.ts';

export type { ConnectionOptions } from './connection/connectionOptions.ts';

/** Bytes of an answer about one object: etcd stores far less, and API descriptions are smaller, too. */
const MAX_OF_ONE = 64 * 1024 * 1024;

interface Surroundings {
  environment?: NodeJS.ProcessEnv;
  timing?: Timing;
}

/**
 * A connection to the API server from options and kubeconfig. Sends no request yet. Rejects with a StateError if they
 * contradict each other or name something that does not exist.
 */
export async function connect(
  options: ConnectionOptions,
  { environment = process.env, timing = realTiming }: Surroundings = {},
): Promise<ApiServer> {
  const endpoint = await resolveEndpoint(options, environment);
  const { cluster, server } = endpoint;
  const secure = server.protocol === 'https:';
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  const ca =
    secure && !insecure ? ((await authority(cluster)) ?? (await rootsOfSystem(environment))) : undefined;
  const proxy = proxyFor(server, cluster['proxy-url'], environment);
  const redactor = redactorOf(endpoint, proxy);
  const credentials = withRedaction(
    await credentialsFor(endpoint, timing, (line) => options.pluginSays?.(redactor.redact(line))),
    redactor,
  );
  const trust = { ca, insecure, serverName: cluster['tls-server-name'] };
  const throughProxy = proxy && (await import('./connection/proxyAgent.ts')).agentsThrough(proxy, trust);
  const transport = createTransport(endpoint, trust, throughProxy);
  const clock = serverClock(timing);
  const url = server.href.replace(/\/$/, '');
  const { logger, metrics, warn } = options;
  const observer =
    logger || metrics
      ? (await import('./requests/requestObserver.ts')).createRequestObserver({
          server: url,
          logger,
          metrics,
          redact: redactor.redact,
        })
      : undefined;
  const { send, open, explained } = createRequester({
    observer,
    endpoint,
    transport,
    credentials,
    clock,
    timing,
    warn,
    redact: redactor.redact,
    headers: { 'user-agent': 'karmada-failover', ...impersonation(endpoint) },
  });

  const parse = <T>(path: string, text: string, breachOf = breachOfObject): T => {
    const parsed = parseJsonText(text);
    if ('problem' in parsed)
      throw explainInvalidAnswer(path, endpoint, `something that cannot be read as JSON (${parsed.problem})`);
    const breach = breachOf(parsed.value);
    if (breach !== undefined) throw explainInvalidAnswer(path, endpoint, breach);
    return parsed.value as T;
  };

  const origin = (path: string) => ({ server: { url, context: endpoint.context }, path });

  /** Parses an object from an answer; checks it if decisions read its kind. */
  const objectIn = <T>(path: string, text: string): T => {
    const check = checkAt(origin(path));
    return check ? (check(parse(path, text, itemViolation)) as T) : parse<T>(path, text);
  };

  const write = async <T>(
    path: string,
    call: Call,
    { dryRun, subresource, fieldManager, ...options }: WriteOptions = {},
  ): Promise<T> => {
    const query = { ...call.query, ...options.query, dryRun: dryRun ? 'All' : undefined, fieldManager };
    const target = subresource === undefined ? path : `${path}/${subresource}`;
    const answer = await send(target, { ...options, ...call, query, write: true, most: MAX_OF_ONE });
    // the answer to a deletion may be a Status
    return call.method === 'DELETE' ? parse(target, answer) : objectIn(target, answer);
  };

  return {
    url,
    context: endpoint.context,
    namespace: endpoint.namespace,
    now: clock.now,
    warn,
    async get<T>(path: string, options: RequestOptions = {}) {
      const answer = await send(path, { ...options, most: MAX_OF_ONE });
      // a table of names is not an object of the path
      return options.accept === undefined ? objectIn<T>(path, answer) : parse<T>(path, answer);
    },
    async list(path, options = {}) {
      const list = await listAll(send, (text) => parse(path, text, pageViolation), path, options);
      // the receiver of pages checks the objects it keeps
      const check = options.metadataOnly ? undefined : checkAt(origin(path), options.sharing);
      if (check) list.items = list.items.map(check);
      list.items = newestOfEach(list.items, path, warn);
      return list;
    },
    async *watch(path, resourceVersion, options = {}) {
      const query = {
        ...options.query,
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion,
        // as in client-go: 5 to 10 minutes, so that clients do not all reconnect at once
        timeoutSeconds: Math.floor(300 * (1 + timing.random())),
      };
      try {
        const response = await open(path, { ...options, query });
        options.opened?.();
        const explainError = (object: unknown) => {
          const status = readStatus(object, redactor.redact);
          const code = status?.code ?? 500;
          return explainAnswer(code, status, '', { method: 'GET', path }, endpoint, undefined);
        };
        const events = watchEvents(response, explainError, options.managedFields);
        const check = checkAt(origin(path), options.sharing);
        for await (const event of events)
          yield check && event.type !== 'BOOKMARK' ? { ...event, object: check(event.object) } : event;
      } catch (error) {
        // other idle connections may be dead as well
        if (options.signal?.aborted || error instanceof TransportFailure) transport.dropIdle();
        if (options.signal?.aborted) throw options.signal.reason;
        throw explained(error);
      }
    },
    patch: (path, body, options) =>
      write(path, { method: 'PATCH', body, contentType: 'application/merge-patch+json' }, options),
    create: (path, body, options) => write(path, { method: 'POST', body }, options),
    apply(path, body, { force, fieldValidation, ...options }) {
      const query = { force: force ? true : undefined, fieldValidation };
      return write(
        path,
        { method: 'PATCH', body, contentType: 'application/apply-patch+yaml', query },
        options,
      );
    },
    delete(path, { preconditions, propagationPolicy, dryRun, ...options } = {}) {
      // with a body, the server ignores query parameters (apiserver, endpoints/handlers/delete.go)
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions,
        propagationPolicy,
        ...(dryRun ? { dryRun: ['All'] } : {}),
      };
      return write(path, { method: 'DELETE', body }, options);
    },
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
    async typed() {
      const { typedObjects } = await import('./typedClient.ts');
      return typedObjects(async (path, call) => {
        const answer = await send(path, call);
        // the typed client's parser relies on the types of metadata in every kind
        checkedObject(parse(path, answer, itemViolation), origin(path));
        return answer;
      });
    },
    close: () => transport.close(),
  };
}

/** Every answer of an API server is an object. */
function breachOfObject(value: unknown): string | undefined {
  return isObject(value) ? undefined : 'JSON that is not an object';
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

/** Percent-encodes characters that a header name must not contain, as the API server expects. */
function headerKey(key: string): string {
  return key.replace(/[^!#$&'*+.^_`|~0-9A-Za-z-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
      .join(''),
  );
}
