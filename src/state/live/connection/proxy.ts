import { BlockList, isIP, isIPv4 } from 'node:net';
import { StateError } from '../../errors.ts';
import { matchOf } from '../../../kubernetes/matched.ts';

/**
 * The proxy for a server, by Go's rules (golang.org/x/net/http/httpproxy): always the kubeconfig's proxy-url; else
 * HTTPS_PROXY or HTTP_PROXY by the server's scheme, unless NO_PROXY names the server or it is this machine.
 * Upper-case names take precedence. Throws a StateError for an invalid proxy address.
 */
export function proxyFor(
  server: URL,
  proxyUrl: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): URL | undefined {
  if (proxyUrl) return supported(proxyUrl, proxyUrl, 'proxy-url');
  const secure = server.protocol === 'https:';
  const name = secure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = variable(environment, name);
  if (value === '') return undefined;
  if (!secure && environment['REQUEST_METHOD']) return undefined; // in a CGI script, HTTP_PROXY is a client header
  if (isExempt(server, variable(environment, 'NO_PROXY'))) return undefined;
  return supported(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`, value, name);
}

function variable(environment: NodeJS.ProcessEnv, name: string): string {
  return environment[name] || environment[name.toLowerCase()] || '';
}

function supported(text: string, given: string, name: string): URL {
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (!proxy || !['http:', 'https:', 'socks5:', 'socks5h:'].includes(proxy.protocol))
    throw new StateError(
      `${name} "${proxy ? given : start(given)}" is not an http, https or socks5 address; correct it`,
    );
  return proxy;
}

/** The beginning of an invalid URL, up to its first colon: a password of unknown length may follow. */
function start(given: string): string {
  const [shown] = matchOf(/^(?:[a-z][a-z\d+.-]*:\/\/)?[^:]*/i, given);
  return shown.length < given.length ? `${shown}…` : shown;
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isLoopback(host)) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && (entry === '*' || matches(entry, host, port)));
}

function isLoopback(host: string): boolean {
  return isIPv4(host) ? host.startsWith('127.') : host === '::1' || host.startsWith('::ffff:7f');
}

function matches(entry: string, host: string, port: string): boolean {
  const [, network = '', bits] = /^([^/]+)\/(\d+)$/.exec(entry) ?? [];
  if (isIP(network)) return isIP(host) !== 0 && contains(network, Number(bits), host);
  const { name, port: wantedPort } = splitPort(entry);
  if (name === '' || (wantedPort !== undefined && wantedPort !== port)) return false;
  if (isIP(name)) return isIP(host) !== 0 && contains(name, isIPv4(name) ? 32 : 128, host);
  if (isIP(host)) return false;
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function contains(network: string, bits: number, host: string): boolean {
  const family = isIPv4(network) ? 'ipv4' : 'ipv6';
  if (bits > (family === 'ipv4' ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return list.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
}

function splitPort(entry: string): { name: string; port?: string } {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  if (!bracketed && isIP(entry)) return { name: entry };
  const [, name = entry, port] = bracketed ?? /^([^:]*):(\w*)$/.exec(entry) ?? [];
  return { name, ...(port && { port }) };
}
