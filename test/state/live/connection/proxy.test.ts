import { describe, expect, test } from '@jest/globals';
import { proxyFor } from '../../../../src/state/live/connection/proxy.ts';

const through = (server: string, environment: NodeJS.ProcessEnv, proxyUrl?: string) =>
  proxyFor(new URL(server), proxyUrl, environment)?.href;

describe('the proxy of a server', () => {
  const environment = { HTTPS_PROXY: 'http://secure:3128', HTTP_PROXY: 'http://plain:3128' };

  test('depends on the scheme of the server address', () => {
    expect(through('https://karmada.example', environment)).toBe('http://secure:3128/');
    expect(through('http://karmada.example', environment)).toBe('http://plain:3128/');
    expect(through('https://karmada.example', { HTTP_PROXY: 'http://plain:3128' })).toBeUndefined();
  });

  test('may be set in lower case and without a scheme', () => {
    expect(through('https://k', { https_proxy: 'proxy:3128' })).toBe('http://proxy:3128/');
    expect(through('https://k', { HTTPS_PROXY: 'a:1', https_proxy: 'b:2' })).toBe('http://a:1/');
  });

  test('is proxy-url before the environment, despite NO_PROXY', () => {
    const exempt = { ...environment, NO_PROXY: '*' };
    expect(through('https://localhost', exempt, 'socks5://own:1080')).toBe('socks5://own:1080');
  });

  test('is refused if its address is invalid', () => {
    expect(() => through('https://k', {}, 'ftp://x')).toThrow(
      /^proxy-url "ftp:\/\/x" is not an http, https or socks5 address/,
    );
    expect(() => through('https://k', { HTTPS_PROXY: 'quic://x' })).toThrow(/^HTTPS_PROXY/);
    // in an invalid URL nothing shows where a password ends
    expect(() => through('https://k', {}, 'http://me:secret//x:9')).toThrow(
      /^proxy-url "http:\/\/me…" is not/,
    );
  });

  test('is not used for localhost', () => {
    for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '[::1]'])
      expect(through(`https://${host}:6443`, environment)).toBeUndefined();
  });
});

describe('an entry in NO_PROXY', () => {
  test.each<[entry: string, server: string, exempt: boolean]>([
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://a.example.com', true],
    ['example.com', 'https://notexample.com', false],
    ['.example.com', 'https://a.b.example.com', true],
    ['.example.com', 'https://example.com', false],
    ['*.example.com', 'https://a.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['EXAMPLE.com', 'https://example.COM', true],
    ['example.com:6443', 'https://example.com:6443', true],
    ['example.com:6443', 'https://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['*', 'https://anything', true],
    ['10.0.0.1', 'https://10.0.0.1', true],
    ['10.0.0.1', 'https://10.0.0.11', false],
    ['10.0.0.1:6443', 'https://10.0.0.1:6443', true],
    ['10.0.0.1:6443', 'https://10.0.0.1:5443', false],
    ['10.0.0.0/8', 'https://10.200.3.4', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/8', 'https://ten.example', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['[fd12::1]:6443', 'https://[fd12::1]:6443', true],
    ['fd12::1', 'https://[fd12::1]', true],
    ['0.1', 'https://10.0.0.1', false],
    [' a.com , b.com ', 'https://b.com', true],
    ['', 'https://a.com', false],
    [':6443', 'https://a.com:6443', false],
  ])('%s excludes %s: %s', (NO_PROXY, server, exempt) => {
    const proxy = through(server, { HTTPS_PROXY: 'http://proxy', NO_PROXY });
    expect(proxy === undefined).toBe(exempt);
  });
});
