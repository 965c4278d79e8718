import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIPv4 } from 'node:net';
import type { Socket } from 'node:net';
import type { Trust } from './trust.ts';

/** A proxy that could not be reached or did not let us through; the message names it. */
class ProxyError extends Error {
  readonly code = 'EPROXY';
}

/**
 * A connection to a host through a proxy, which resolves the name. A proxy that speaks TLS is trusted as the server is,
 * as in Go. Rejects with a ProxyError.
 */
export function openTunnel(proxy: URL, host: string, port: number, trust: Trust): Promise<Socket> {
  return proxy.protocol.startsWith('socks')
    ? throughSocks(proxy, host, port)
    : throughHttp(proxy, host, port, trust);
}

function failed(proxy: URL, what: string, cause?: unknown): ProxyError {
  return new ProxyError(`the proxy ${proxy.protocol}//${proxy.host} ${what}`, { cause });
}

function unreachable(proxy: URL, error: Error): ProxyError {
  return failed(proxy, `cannot be used: ${error.message || (error as NodeJS.ErrnoException).code}`, error);
}

/** RFC 9110, CONNECT. */
function throughHttp(proxy: URL, host: string, port: number, { ca, insecure }: Trust): Promise<Socket> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const connecting = request({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: target,
      agent: false,
      ...(ca ? { ca } : {}),
      ...(insecure ? { rejectUnauthorized: false } : {}),
      headers: { host: target, ...authorization(proxy) },
    });
    connecting.once('connect', ({ statusCode, statusMessage }, socket, head) => {
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket as Socket);
        return;
      }
      socket.destroy();
      const login = statusCode === 407 ? '; put USER:PASSWORD@ into its address' : '';
      reject(failed(proxy, `answered ${statusCode} ${statusMessage ?? ''} to CONNECT ${target}${login}`));
    });
    connecting.once('error', (error) => reject(unreachable(proxy, error)));
    connecting.end();
  });
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

const REPLIES = [
  'succeeded',
  'failed',
  'does not allow this connection',
  'does not reach the network',
  'does not reach the host',
  'was refused the connection',
  'gave up: the time to live has expired',
];

/** RFC 1928 and, for a user and password, RFC 1929. */
async function throughSocks(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = connect(Number(proxy.port || 1080), proxy.hostname.replace(/^\[|\]$/g, ''));
  try {
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    const read = reader(socket);
    const user = Buffer.from(decodeURIComponent(proxy.username));
    const password = Buffer.from(decodeURIComponent(proxy.password));
    socket.write(user.length > 0 ? Buffer.from([5, 2, 0, 2]) : Buffer.from([5, 1, 0]));
    const [version, method] = await read(2);
    if (version !== 5) throw failed(proxy, 'does not speak SOCKS 5');
    if (method === 2) {
      socket.write(
        Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]),
      );
      if ((await read(2))[1] !== 0) throw failed(proxy, 'does not accept user and password of its address');
    } else if (method !== 0) throw failed(proxy, 'wants a login; put USER:PASSWORD@ into its address');
    const name = Buffer.from(host);
    const address = isIPv4(host)
      ? Buffer.from([1, ...host.split('.').map(Number)])
      : Buffer.concat([Buffer.from([3, name.length]), name]);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), address, Buffer.from([port >> 8, port & 255])]));
    const [, reply = 1, , kind] = await read(4);
    if (reply !== 0) throw failed(proxy, `${REPLIES[reply] ?? `answered ${reply}`}: ${host}:${port}`);
    await read((kind === 1 ? 4 : kind === 4 ? 16 : (await read(1))[0]!) + 2);
    socket.removeAllListeners('error');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof ProxyError ? error : unreachable(proxy, error as Error);
  }
}

/** Reads so many bytes of a socket and leaves the rest in it. */
function reader(socket: Socket): (length: number) => Promise<Buffer> {
  return (length) =>
    new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        socket.off('readable', attempt).off('error', fail).off('close', closed);
        settle();
      };
      const fail = (error: Error) => done(() => reject(error));
      const closed = () => fail(new Error('it closed the connection'));
      const attempt = () => {
        const bytes = socket.read(length) as Buffer | null;
        if (bytes?.length === length) done(() => resolve(bytes));
      };
      socket.on('readable', attempt).on('error', fail).on('close', closed);
      attempt();
    });
}
