import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ApiError } from '../../../src/state/live/apiError.ts';
import type { DeleteOptions, WatchEvent } from '../../../src/state/live/apiServer.ts';
import type { Status } from '../../../src/state/live/requests/serverStatus.ts';
import type { ServingObjects } from './servingObjects.ts';

/** The path of a kind's collection, not of one object. */
const LIST = /^\/(?:api\/v\d\w*|apis\/[^/]+\/v\d\w*)(?:\/namespaces\/[^/]+)?\/[^/]+$/;

/** The tokens canary-known and canary-weak have users, of whom only the first may get paths. */
const reviewOf = (body: object) => {
  const { spec } = body as { spec: { token: string } };
  const username = /^canary-(known|weak)$/.exec(spec.token)?.[1];
  return { status: username === undefined ? {} : { authenticated: true, user: { username } } };
};
const accessOf = (body: object) => ({
  status: { allowed: (body as { spec: { user: string } }).spec.user === 'known' },
});

/** Answers HTTP requests as an API server with these objects does, as far as commands need it. */
export function answering(fake: ServingObjects): RequestListener {
  const write = async (request: IncomingMessage, path: string, query: URLSearchParams): Promise<unknown> => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece as string;
    const body = (text === '' ? {} : JSON.parse(text)) as KubernetesObject &
      Omit<DeleteOptions, 'dryRun'> & { dryRun?: string[] };
    const status = path.endsWith('/status');
    const target = status ? path.slice(0, -'/status'.length) : path;
    const options = {
      dryRun: query.get('dryRun') === 'All',
      fieldManager: query.get('fieldManager') ?? request.headers['user-agent']?.split('/')[0] ?? 'unknown',
      ...(status ? { subresource: 'status' as const } : {}),
    };
    switch (request.method) {
      case 'POST':
        if (path.endsWith('/tokenreviews')) return reviewOf(body);
        if (path.endsWith('/subjectaccessreviews')) return accessOf(body);
        if (path.endsWith('/selfsubjectaccessreviews')) return { status: { allowed: true } };
        return fake.create(target, body, options);
      case 'PUT':
        return fake.store.replace(target, body, options);
      case 'DELETE':
        // with a body, a server ignores the parameters
        return fake.delete(target, {
          ...body,
          dryRun: text === '' ? options.dryRun : body.dryRun?.[0] === 'All',
        });
      default:
        return request.headers['content-type'] === 'application/apply-patch+yaml'
          ? fake.apply(target, body, { ...options, force: query.get('force') === 'true' })
          : fake.patch(target, body, options);
    }
  };
  /** Streams the changes since the version that the client has listed, until the client stops. */
  const watch = (path: string, listed: string | null, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    const notify = (event: WatchEvent) => response.write(`${JSON.stringify(event)}\n`);
    const end = fake.store.follow(path, notify, listed ? Number(listed) : undefined);
    response.on('close', end);
  };
  const answer = async (path: string, query: URLSearchParams, metadataOnly: boolean): Promise<unknown> => {
    if (LIST.test(path)) {
      const resourceVersion = fake.store.version;
      const { items } = await fake.list(path, {
        metadataOnly,
        query: { fieldSelector: query.get('fieldSelector') ?? undefined },
      });
      return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion }, items };
    }
    return fake.get(path);
  };
  return (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://server');
    if (searchParams.get('watch') === 'true')
      return watch(path, searchParams.get('resourceVersion'), response);
    const metadataOnly = request.headers.accept?.includes('PartialObjectMetadata') ?? false;
    const answered =
      request.method === 'GET'
        ? answer(path, searchParams, metadataOnly)
        : write(request, path, searchParams);
    answered.then(
      (body) => response.end(JSON.stringify(body)),
      ({ status: code, message, reason, cause }: ApiError) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            apiVersion: 'v1',
            kind: 'Status',
            status: 'Failure',
            code,
            message,
            reason,
            details: (cause as Status | undefined)?.details,
          }),
        ),
    );
  };
}
