import { STATUS_CODES } from 'node:http';
import type { Logger, Metrics } from '../../../kubernetes/observation.ts';
import { REDACTED } from '../../../kubernetes/redaction/redacted.ts';
import { redactedJson } from '../../../kubernetes/redaction/redactedData.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One try of one request. */
interface RequestAttempt {
  method: string;
  /** from the API's root, with its query */
  path: string;
  headers: Headers;
  body: string | undefined;
  milliseconds: number;
  /** the head of the answer, or why there is none */
  outcome: { status: number; headers: Headers } | { failure: string };
}

/** Observes every request to one server. */
export interface RequestObserver {
  tried(request: RequestAttempt): void;
  /** Receives the body of an answer once complete; a watch's never is. */
  body(path: string, text: string): void;
}

interface ObserverOptions {
  /** the server's URL, without a trailing slash */
  server: string;
  logger?: Logger | undefined;
  metrics?: Metrics | undefined;
  /** redacts the secrets of this connection in a text */
  redact: (text: string) => string;
}

/** Headers whose values are credentials. */
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** Characters of a body to log, by verbosity (from 10 on all); as in client-go (rest/request.go, truncateBody). */
const BODY_LIMITS: readonly { verbosity: number; characters: number }[] = [
  { verbosity: 10, characters: Infinity },
  { verbosity: 9, characters: 10_240 },
  { verbosity: 8, characters: 1_024 },
];

/**
 * Logs requests as kubectl does: from verbosity 6 each request with its answer and duration, from 7 headers, from 8
 * bodies. Counts them under client-go's metric names. Secrets are redacted.
 */
export function createRequestObserver({ server, logger, metrics, redact }: ObserverOptions): RequestObserver {
  const { host } = new URL(server);

  function logBody(what: string, path: string, text: string): void {
    const limit = BODY_LIMITS.find(({ verbosity }) => logger?.enabled(verbosity));
    if (!limit || text === '') return;
    const shown = withoutSecrets(path, text, redact);
    const rest = shown.length - limit.characters;
    logger?.info(
      8,
      `${what} Body: ${rest > 0 ? `${shown.slice(0, limit.characters)} [truncated ${rest} chars]` : shown}`,
    );
  }

  return {
    tried({ method, path, headers, body, milliseconds, outcome }) {
      const code = 'status' in outcome ? String(outcome.status) : '<error>';
      metrics?.count(
        'rest_client_requests_total',
        'Number of HTTP requests, partitioned by status code, method, and host.',
        {
          code,
          method,
          host,
        },
      );
      const seconds = milliseconds / 1000;
      const help = 'Request latency in seconds. Broken down by verb, and host.';
      metrics?.observe('rest_client_request_duration_seconds', help, seconds, { verb: method, host });
      if (!logger?.enabled(6)) return;
      const answer =
        'status' in outcome
          ? `${outcome.status} ${STATUS_CODES[outcome.status] ?? ''}`.trim()
          : `failed (${redact(outcome.failure)})`;
      logger.info(
        6,
        redact(`${method} ${server}${path} ${answer} in ${Math.round(milliseconds)} milliseconds`),
      );
      logger.info(7, `Request Headers: ${headerText(headers, redact)}`);
      if (body !== undefined) logBody('Request', path, body);
      if ('status' in outcome) logger.info(7, `Response Headers: ${headerText(outcome.headers, redact)}`);
    },
    body: (path, text) => logBody('Response', path, text),
  };
}

function headerText(headers: Headers, redact: (text: string) => string): string {
  return Object.entries(headers)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${name}: ${SECRET_HEADERS.has(name.toLowerCase()) ? REDACTED : redact(String(value))}`,
    )
    .join(', ');
}

/** A body without secrets: Secrets are removed entirely; other JSON is redacted by field. */
function withoutSecrets(path: string, text: string, redact: (text: string) => string): string {
  if (/\/secrets(?:[/?]|$)/.test(path)) return REDACTED;
  try {
    return redact(redactedJson(JSON.parse(text)));
  } catch {
    return redact(text);
  }
}
