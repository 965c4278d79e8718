import { oneLine } from '../../oneLine.ts';
import { ApiError } from '../apiError.ts';
import type { Endpoint } from '../connection/resolvedEndpoint.ts';
import { isMissingRight } from '../missingRight.ts';
import { serverPlace } from '../serverPlace.ts';
import type { Status } from './serverStatus.ts';
import type { TransportFailure } from './transport.ts';

/** A transport failure and the next step: an ApiError with status 0. */
export function explainFailure(failure: TransportFailure, endpoint: Endpoint): ApiError {
  const { code } = failure;
  const where = place(endpoint);
  const { hostname, host, protocol } = endpoint.server;
  const message = () => {
    switch (code) {
      case 'ECONNREFUSED':
        return `${where} refused the connection; is the API server running, and is this its address? See --server, --context`;
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `the host of ${where} cannot be found; check the network and the server in the kubeconfig`;
      case 'EHOSTUNREACH':
      case 'ENETUNREACH':
        return `${where} cannot be reached from here (${code}); check the network, VPN and proxies`;
      case 'ETIMEDOUT':
        return `${where} did not answer in time; check the network, VPN and proxies, and see --request-timeout`;
      case 'ECONNRESET':
      case 'EPIPE':
      case 'ERR_STREAM_PREMATURE_CLOSE':
        return `${where} closed the connection; try again`;
      case 'EPROXY':
        return `${where}: ${failure.message}; see proxy-url in the kubeconfig, HTTPS_PROXY and NO_PROXY`;
      case 'CERT_HAS_EXPIRED':
        return `the certificate of ${where} has expired; renew it, or check this machine's clock`;
      case 'CERT_NOT_YET_VALID':
        return `the certificate of ${where} is not valid yet; check this machine's clock`;
      case 'ERR_TLS_CERT_ALTNAME_INVALID':
        return `the certificate of ${where} is not for ${endpoint.cluster['tls-server-name'] ?? hostname}: ${altName(failure)}; use that address, or give its name with --tls-server-name`;
      case 'EPROTO':
      case 'ERR_SSL_WRONG_VERSION_NUMBER':
        return failure.message.includes('wrong version number')
          ? `${where} does not speak TLS; did you mean http://${host}?`
          : `${where}: the TLS handshake failed (${reasonOf(failure)}); is a client certificate missing?`;
      default:
        if (UNTRUSTED.has(code))
          return `the certificate of ${where} is not signed by a trusted authority; give --certificate-authority FILE`;
        if (code.startsWith('HPE_'))
          return `${where} sends an invalid answer (${failure.message}); is it an API server? See --server, --context`;
        return `${where}: ${protocol === 'https:' ? reasonOf(failure) : failure.message}`;
    }
  };
  return new ApiError(oneLine(message()), { status: 0, reason: code, cause: failure });
}

const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

function altName({ cause }: TransportFailure): string {
  const { reason, cert } = cause as { reason?: string; cert?: { subjectaltname?: string } };
  const names = reason?.replace(/^.*(?:altnames|cert's list): /, '').replace(/\.$/, '');
  return `it is for ${names || cert?.subjectaltname || 'another host'}`;
}

/** OpenSSL's own words, extracted from "…:error:0A00…:SSL routines:…:tlsv13 alert certificate required:…" */
function reasonOf({ cause, message }: TransportFailure): string {
  return (cause as { reason?: string } | undefined)?.reason ?? message;
}

/** The server's answer as an ApiError. `status` is the body if that is a metav1.Status. */
export function explainAnswer(
  code: number,
  status: Status | undefined,
  text: string,
  { method, path }: { method: string; path: string },
  endpoint: Endpoint,
  retryAfter: number | undefined,
): ApiError {
  const where = place(endpoint);
  const said = status?.message || text.trim().slice(0, 300) || `HTTP status ${code}`;
  const message = () => {
    switch (code) {
      case 400:
        return said.includes('HTTP request to an HTTPS server')
          ? `${where} speaks TLS only; write https:// in front of the server`
          : `${where} refuses the request as invalid: ${said}`;
      case 401:
        return `${where} does not accept the credentials of user "${endpoint.userName ?? ''}"; log in again, or check the user in the kubeconfig`;
      case 403:
        // without a Status it comes from a proxy rather than an API server, and concerns this user's permissions
        return status === undefined || isMissingRight(said)
          ? `${where}: ${said}; ask for this right, or use another user (--user, --as)`
          : `${where}: ${said}`;
      case 404:
        if (status?.details?.name) return `${where}: ${said}`;
        return `${where} does not serve ${path.replace(/\?.*/, '')}; is this Karmada's API server? See --context`;
      case 409:
        return `${where}: ${said}`;
      case 429:
        return `${where} is overloaded (${said}); try again later`;
      case 500:
      case 502:
      case 503:
      case 504:
        return `${where} cannot answer at the moment (${code}: ${said}); try again, and check its log if this persists`;
      case 301:
      case 302:
      case 303:
      case 307:
      case 308:
        return `${where} redirects ${path.replace(/\?.*/, '')} (${code}); is it an API server? See --server, --context`;
      default:
        return `${where}: ${method} ${path.replace(/\?.*/, '')}: ${code} ${said}`;
    }
  };
  return new ApiError(oneLine(message()), {
    status: code,
    reason: status?.reason ?? REASONS[code] ?? 'Unknown',
    retryAfter,
    cause: status,
  });
}

/** An error for an answer that no API server gives: not JSON, or other JSON. */
export function explainInvalidAnswer(path: string, endpoint: Endpoint, what: string): ApiError {
  return new ApiError(
    `${place(endpoint)} answers ${path} with ${what}; is it an API server? See --server, --context`,
    { status: 0, reason: 'NotJSON' },
  );
}

const REASONS: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function place({ server, context }: Endpoint): string {
  return serverPlace({ url: server.href.replace(/\/$/, ''), context });
}
