import { constants } from 'node:buffer';
import { promisify } from 'node:util';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../apiError.ts';
import type { Query } from '../apiServer.ts';
import type { Call, Send } from './call.ts';
import type { Credentials } from '../connection/credential.ts';
import type { Endpoint } from '../connection/resolvedEndpoint.ts';
import { explainAnswer, explainFailure } from './explainFailure.ts';
import { maxUnpacked } from '../../input/wholeFile.ts';
import { reportLongWait } from '../../longWait.ts';
import { linkedSignal } from './linkedSignal.ts';
import type { RequestObserver } from './requestObserver.ts';
import { mayRepeat, pauseBefore, retryAfterSeconds, type Outcome } from './retry.ts';
import type { ServerClock } from './serverClock.ts';
import { statusIn, type Status } from './serverStatus.ts';
import { uriPart } from '../../../kubernetes/escaping.ts';
import type { Timing } from '../mirrors/timing.ts';
import { TOO_LARGE, tooLarge, TransportFailure, type Transport } from './transport.ts';
import { codeOf } from '../../systemProblem.ts';

/** The time limit for retries without a request timeout. */
const TRY_FOR = 30_000;
/** The same limit before the server has ever answered: the address is probably wrong. */
const TRY_FIRST_FOR = 3_000;
/** API servers abort ordinary requests after 60 s. */
const LONGEST_SILENCE = 75_000;
/** Servers answer a watch immediately. */
const WATCH_ANSWERED_WITHIN = 30_000;

/** The longest text that V8 can hold. */
const MAX_BYTES = constants.MAX_STRING_LENGTH;
/** Far more than a Status that repeats a whole object with all causes. */
const MAX_BYTES_OF_ERROR = 16 * 1024 * 1024;

/** The number of warnings remembered, so that each is reported once. */
const MAX_WARNINGS = 1_000;

/** k8s.io/apiserver, notfoundhandler: the answer to every request until all paths are installed. */
const JUST_STARTED = /before all known HTTP paths have been installed/;

interface RequesterOptions {
  endpoint: Endpoint;
  transport: Transport;
  credentials: Credentials;
  clock: ServerClock;
  timing: Timing;
  /** headers of every request */
  headers: Readonly<Record<string, string | string[]>>;
  /** gets each warning of the server once */
  warn?: ((text: string) => void) | undefined;
  /** observes every try */
  observer?: RequestObserver | undefined;
  /** redacts the secrets of this connection in a text from the server */
  redact(text: string): string;
}

/** Sends requests to one API server: renews credentials, explains errors, and retries where that may help. */
interface Requester {
  /** Resolves to the body of a successful answer; rejects with an ApiError. */
  send: Send;
  /** Resolves to the head of a successful answer whose body continues; one try. */
  open(path: string, call: Call): Promise<IncomingMessage>;
  /** Turns a failure during an opened answer into an error for the user. */
  explained(error: unknown): unknown;
}

/** Creates a Requester; sends nothing yet. */
export function createRequester(options: RequesterOptions): Requester {
  const { endpoint, transport, credentials, clock, timing, redact } = options;
  const { cluster, requestTimeout } = endpoint;
  const reported = new Set<string>();
  let answered = false;
  let hasRead = false;

  /** One try. Resolves to the answer's head if it is successful; else throws an ApiError. */
  async function attempt(path: string, call: Call, streaming: boolean): Promise<IncomingMessage> {
    const method = call.method ?? 'GET';
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = {
      ...options.headers,
      accept: call.accept ?? 'application/json',
      ...(streaming || cluster['disable-compression'] ? {} : { 'accept-encoding': 'gzip' }),
      ...(body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
    };
    const silence = streaming ? WATCH_ANSWERED_WITHIN : requestTimeout || LONGEST_SILENCE;
    const request = { method, path, headers, body, signal: call.signal, silence, streaming };
    for (let first = true; ; first = false) {
      const credential = await credentials.current();
      call.beforeSent?.();
      const sentAt = timing.now();
      const observed = { ...request, headers: { ...headers, authorization: credential.authorization } };
      const response = await transport.send(request, credential).catch((error: Error) => {
        const outcome = { failure: error.message };
        options.observer?.tried({ ...observed, milliseconds: timing.now() - sentAt, outcome });
        throw error;
      });
      answered = true;
      clock.heard(response.headers.date, sentAt);
      warn(response);
      const code = response.statusCode ?? 0;
      const outcome = { status: code, headers: response.headers };
      options.observer?.tried({ ...observed, milliseconds: timing.now() - sentAt, outcome });
      if (code < 300) return response;
      const text = await textOfError(transport, response, call.signal);
      options.observer?.body(path, text);
      if (code === 401 && first && (await credentials.refused(credential))) continue;
      const status = statusIn(text, redact);
      const retryAfter = retryAfterSeconds(
        response.headers['retry-after'],
        status?.details?.retryAfterSeconds,
      );
      throw explainAnswer(code, status, redact(text), { method, path: redact(path) }, endpoint, retryAfter);
    }
  }

  /** Retries `work` while that may help and there is time. */
  async function persist<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const began = timing.now();
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        const { outcome, explained } = understand(endpoint, error, redact);
        if (!outcome || !mayRepeat(call.write ?? false, outcome)) throw explained;
        const pause = pauseBefore(failures, timing.random(), outcome.retryAfter);
        const patience = requestTimeout || (answered ? TRY_FOR : TRY_FIRST_FOR);
        // a dead connection may use up all the time, so a new one gets one try
        const again = failures === 1 && answered && requestTimeout === 0 && pause <= patience;
        if (timing.now() + pause - began > patience && !again) throw explained;
        // other idle connections may be dead as well
        if (outcome.status === 0) transport.dropIdle();
        await timing.sleep(pause, call.signal);
      }
    }
  }

  const send: Send = async (path, call) => {
    // report long waits before the first answer, while nothing is shown yet, and for writes, which show nothing else
    if (hasRead && !call.write) return answerTo(path, call);
    const text = await reportLongWait(`${redact(endpoint.server.origin)} to answer`, answerTo(path, call));
    hasRead = true;
    return text;
  };

  const answerTo: Send = async (path, call) => {
    const persistent = (one: Call): Promise<string> =>
      persist(one, async () => {
        const text = await textOf(
          transport,
          await attempt(withQuery(path, one.query), one, false),
          one.most ?? MAX_BYTES,
          one.signal,
        );
        options.observer?.body(path, text);
        return text;
      });
    if (requestTimeout === 0) return persistent(call);
    const limit = linkedSignal(call.signal);
    const timer = setTimeout(() => limit.abort(), requestTimeout);
    try {
      return await persistent({ ...call, signal: limit.signal });
    } catch (error) {
      if (limit.signal.aborted && !call.signal?.aborted)
        throw explainFailure(
          new TransportFailure(Object.assign(new Error('--request-timeout'), { code: 'ETIMEDOUT' }), true),
          endpoint,
        );
      throw error;
    } finally {
      clearTimeout(timer);
      limit.release();
    }
  };

  function warn({ headers }: IncomingMessage): void {
    for (const text of warningTexts(headers['warning']).map(redact)) {
      if (reported.has(text)) continue;
      // a process that runs for months must not keep all of them
      if (reported.size >= MAX_WARNINGS) reported.clear();
      reported.add(text);
      options.warn?.(text);
    }
  }

  return {
    send,
    open: (path, call) => attempt(withQuery(path, call.query), call, true),
    explained: (error) => understand(endpoint, error, redact).explained,
  };
}

async function textOf(
  transport: Transport,
  response: IncomingMessage,
  most: number,
  signal?: AbortSignal,
): Promise<string> {
  const bytes = await transport.body(response, most, signal);
  if (response.headers['content-encoding'] !== 'gzip') return bytes.toString('utf8');
  const maxOutputLength = Math.min(most, maxUnpacked(bytes.length));
  try {
    const { gunzip } = await import('node:zlib');
    return (await promisify(gunzip)(bytes, { chunkSize: 1 << 20, maxOutputLength })).toString('utf8');
  } catch (error) {
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    throw new TransportFailure(isTooLarge ? tooLarge(maxOutputLength) : error, true);
  }
}

/** The body of an error; empty if it is too large, because the status suffices. */
async function textOfError(
  transport: Transport,
  response: IncomingMessage,
  signal?: AbortSignal,
): Promise<string> {
  try {
    return await textOf(transport, response, MAX_BYTES_OF_ERROR, signal);
  } catch (error) {
    if (error instanceof TransportFailure && error.code === TOO_LARGE) return '';
    throw error;
  }
}

/** The meaning of a failure for retries, and for the user. */
function understand(
  endpoint: Endpoint,
  error: unknown,
  redact: (text: string) => string,
): { outcome?: Outcome; explained: unknown } {
  if (error instanceof TransportFailure) {
    const outcome = { status: 0, code: error.code, sent: error.sent };
    const explained = explainFailure(error, endpoint);
    explained.message = redact(explained.message);
    return { outcome, explained };
  }
  if (!(error instanceof ApiError) || error.status === 0) return { explained: error };
  const { status, retryAfter, cause } = error;
  const unseen = JUST_STARTED.test((cause as Status | undefined)?.message ?? '');
  return { outcome: { status, sent: true, retryAfter, unseen }, explained: error };
}

function withQuery(path: string, query: Query | undefined): string {
  const parameters = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${uriPart(name)}=${uriPart(String(value))}`);
  return parameters.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${parameters.join('&')}`;
}

/**
 * The texts with code 299 in a Warning header (RFC 7234, 5.5), the code that API servers use. Skips everything else.
 */
function warningTexts(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = Array.isArray(header) ? header.join(', ') : header;
  const found: string[] = [];
  for (const [, code, quoted = ''] of text.matchAll(WARNING)) {
    const said = quoted.replace(/\\(.)/g, '$1').replace(/\p{C}/gu, ' ').trim();
    if (code === '299' && said !== '') found.push(said);
  }
  return found;
}

/** code, agent, text and an optional date */
const WARNING = /(?:^|,)\s*(\d{3}) [^\s"]+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;
