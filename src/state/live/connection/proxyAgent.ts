import { STATUS_CODES, type Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import type { MakeAgent, Trust } from './agent.ts';
import { codeOf, messageOf } from '../../systemProblem.ts';

/** Milliseconds for establishing a tunnel, as for Go's dialer. */
const CONNECT_WITHIN = 30_000;

/** The proxy could not be reached or refused the tunnel; the message names it. */
class ProxyError extends Error {
  readonly code = 'EPROXY';
}

/**
 * Agents whose connections go through a proxy, which resolves names. A TLS proxy is verified with the same
 * authorities as the server, as in Go. Connections fail with a ProxyError.
 */
export function agentsThrough(proxy: URL, trust: Trust): MakeAgent {
  if (proxy.protocol.startsWith('socks')) return (_, options) => new SocksAgent(proxy, options);
  const tunnel = {
    proxy: isIP(hostOf(proxy)) === 0 ? proxy : withoutName(proxy),
    proxyRequestOptions: {
      hostname: hostOf(proxy),
      ...(trust.ca ? { ca: trust.ca } : {}),
      ...(trust.insecure ? { rejectUnauthorized: false } : {}),
    },
  };
  return (secure, options) =>
    connectingBy(
      proxy,
      secure
        ? new HttpsProxyAgent({ ...options, ...tunnel } as ConstructorParameters<typeof HttpsProxyAgent>[0])
        : new HttpProxyAgent({ ...options, ...tunnel } as ConstructorParameters<typeof HttpProxyAgent>[0]),
    );
}

/** A proxy's URL without its host, which must not become a TLS name if it is an IP address; `hostname` replaces it. */
function withoutName(proxy: URL): URL {
  return Object.defineProperty(new URL(proxy), 'hostname', { value: '' });
}

/** Node's createConnection, with the arguments missing from its types. */
interface Connecting {
  createConnection(
    options: { host: string; port: number },
    callback: (error: Error | null, socket?: Socket) => void,
  ): Socket | undefined;
}

/** Adds to an agent: brackets around IPv6 addresses, the usual time limit, and the proxy's name in errors. */
function connectingBy(proxy: URL, agent: HttpProxyAgent | HttpsProxyAgent): Agent {
  const connecting = agent as unknown as Connecting;
  const connect = connecting.createConnection.bind(agent);
  connecting.createConnection = (options, callback) => {
    const target = `${isIPv6(options.host) ? `[${options.host}]` : options.host}:${options.port}`;
    const given = isIPv6(options.host)
      ? { ...expecting(options.host), ...options, host: `[${options.host}]` }
      : options;
    return connect({ ...given, timeout: CONNECT_WITHIN } as typeof options, (error, socket) =>
      error ? callback(ofHttp(proxy, target, error)) : callback(null, socket),
    );
  };
  return agent;
}

/** The certificate is for the address without brackets. */
function expecting(address: string): Pick<AgentOptions, 'checkServerIdentity'> {
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate) };
}

/** Rewords an error of hpagent. */
function ofHttp(proxy: URL, target: string, error: Error): ProxyError {
  const status = Number(/^Bad response: (\d+)$/.exec(error.message)?.[1]);
  if (Number.isNaN(status)) return unusable(proxy, error);
  const login = status === 407 ? '; put USER:PASSWORD@ into its address' : '';
  return failed(proxy, `answered ${status} ${STATUS_CODES[status] ?? ''} to CONNECT ${target}${login}`);
}

class SocksAgent extends SocksProxyAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    // as in Go, the proxy resolves names, for socks5 as well as socks5h
    const address = new URL(proxy.href.replace(/^socks5h?:/, 'socks5h:'));
    super(address, options);
    this.proxy.host = hostOf(proxy);
    // its timeout would end silent watches
    this.timeout = null;
    this.#proxy = proxy;
  }

  override async connect(
    ...[request, options]: Parameters<SocksProxyAgent['connect']>
  ): ReturnType<SocksProxyAgent['connect']> {
    try {
      return await super.connect(request, named(options));
    } catch (error) {
      throw ofSocks(this.#proxy, `${options.host}:${options.port}`, error);
    }
  }
}

/** socks-proxy-agent does not pass IP addresses on to TLS, which would then expect a certificate for "localhost". */
function named<Options extends Parameters<SocksProxyAgent['connect']>[1]>(options: Options): Options {
  if (!options.host || isIP(options.host) === 0) return options;
  return { ...expecting(options.host), ...options };
}

const REPLIES: Record<string, string> = {
  Failure: 'failed',
  NotAllowed: 'does not allow this connection',
  NetworkUnreachable: 'does not reach the network',
  HostUnreachable: 'does not reach the host',
  ConnectionRefused: 'was refused the connection',
  TTLExpired: 'gave up: the time to live has expired',
};

/** Rewords an error of `socks`. The error itself is dropped: it contains the password. */
function ofSocks(proxy: URL, target: string, error: unknown): ProxyError {
  const message = messageOf(error);
  const reply = /^Socks5 proxy rejected connection - (\w+)/.exec(message)?.[1];
  if (reply !== undefined) return failed(proxy, `${REPLIES[reply] ?? `answered ${reply}`}: ${target}`);
  if (message.startsWith('Socks5 Authentication failed'))
    return failed(proxy, 'does not accept user and password of its address');
  if (message.includes('no accepted authentication type'))
    return failed(
      proxy,
      proxy.username === ''
        ? 'wants a login; put USER:PASSWORD@ into its address'
        : 'takes no login by user and password',
    );
  if (message.includes('invalid socks version')) return failed(proxy, 'does not speak SOCKS 5');
  return unusable(proxy, new Error(message));
}

function failed(proxy: URL, what: string): ProxyError {
  return new ProxyError(`the proxy ${proxy.protocol}//${proxy.host} ${what}`);
}

function unusable(proxy: URL, error: Error): ProxyError {
  const why = error.message || codeOf(error);
  return new ProxyError(`the proxy ${proxy.protocol}//${proxy.host} cannot be used: ${why}`, {
    cause: error,
  });
}

/** The host, without brackets around an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
