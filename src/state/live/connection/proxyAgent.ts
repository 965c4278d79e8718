import { STATUS_CODES, type Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import type { Trust } from './trust.ts';

/** Milliseconds until a tunnel must stand: Go's dialer. */
const CONNECT_WITHIN = 30_000;

/** A proxy that could not be reached or did not let us through; the message names it. */
class ProxyError extends Error {
  readonly code = 'EPROXY';
}

/** Makes what keeps connections to one server, secure or not. */
export type MakeAgent = (secure: boolean, options: AgentOptions) => Agent;

/**
 * Agents whose connections go through a proxy, which resolves names. A proxy that speaks TLS is trusted as the server is,
 * as in Go. Connections fail with a ProxyError.
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

/** hpagent gives the proxy's name to TLS, which takes no address for one; where to connect is said by `hostname`. */
function withoutName(proxy: URL): URL {
  return Object.defineProperty(new URL(proxy), 'hostname', { value: '' });
}

/** Node's own, whose types leave out what it is called with. */
interface Connecting {
  createConnection(
    options: { host: string; port: number },
    callback: (error: Error | null, socket?: Socket) => void,
  ): Socket | undefined;
}

/** Writes addresses of IPv6 in brackets for the proxy, waits as long as for a direct connection, names the proxy in errors. */
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

/** The certificate is for the address, not for its brackets. */
function expecting(address: string): Pick<AgentOptions, 'checkServerIdentity'> {
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate) };
}

/** What hpagent says, in our words. */
function ofHttp(proxy: URL, target: string, error: Error): ProxyError {
  const status = Number(/^Bad response: (\d+)$/.exec(error.message)?.[1]);
  if (Number.isNaN(status)) return unusable(proxy, error);
  const login = status === 407 ? '; put USER:PASSWORD@ into its address' : '';
  return failed(proxy, `answered ${status} ${STATUS_CODES[status] ?? ''} to CONNECT ${target}${login}`);
}

class SocksAgent extends SocksProxyAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    // as in Go, names are for the proxy to resolve, whichever of the two is written
    const address = new URL(proxy.href.replace(/^socks5h?:/, 'socks5h:'));
    super(address, options);
    this.proxy.host = hostOf(proxy);
    // else it ends watches that are silent for so long
    this.timeout = null;
    this.#proxy = proxy;
  }

  override async connect(
    ...[request, options]: Parameters<SocksProxyAgent['connect']>
  ): ReturnType<SocksProxyAgent['connect']> {
    try {
      return await super.connect(request, named(options));
    } catch (error) {
      throw ofSocks(this.#proxy, `${options.host}:${options.port}`, error as Error);
    }
  }
}

/** socks-proxy-agent does not tell TLS of an address, which then expects a certificate for "localhost". */
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

/** What `socks` says, in our words; its error holds the password, and is left out. */
function ofSocks(proxy: URL, target: string, { message }: Error): ProxyError {
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
  const why = error.message || (error as NodeJS.ErrnoException).code;
  return new ProxyError(`the proxy ${proxy.protocol}//${proxy.host} cannot be used: ${why}`, {
    cause: error,
  });
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
