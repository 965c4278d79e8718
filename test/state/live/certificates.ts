import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

/** PEM, as TLS takes it. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority extends Certificate {
  name: string;
  privateKey: KeyObject;
}

const DAY = 86_400_000;

/** A new certificate authority. */
export function createAuthority(name = 'test authority'): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const cert = certificate({ subject: name, issuer: name, publicKey, signer: privateKey, authority: true });
  return { name, privateKey, cert, key: pemOf(privateKey) };
}

/** A certificate for hosts (names and addresses), or for a client. `until` is in epoch milliseconds. */
export function issue(
  authority: Authority,
  subject: string,
  { hosts = [], until = Date.now() + DAY }: { hosts?: string[]; until?: number } = {},
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { name: issuer, privateKey: signer } = authority;
  return { cert: certificate({ subject, issuer, publicKey, signer, hosts, until }), key: pemOf(privateKey) };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

interface Fields {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  hosts?: string[];
  until?: number;
  authority?: boolean;
}

/** X.509 (RFC 5280) by hand: Node reads certificates but does not write them. */
function certificate(fields: Fields): string {
  const { subject, issuer, publicKey, signer, hosts = [], until = Date.now() + DAY, authority } = fields;
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const extensions = [
    extension('551d13', authority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence()),
    ...(hosts.length > 0 ? [extension('551d11', sequence(...hosts.map(alternativeName)))] : []),
  ];
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, Math.floor(Math.random() * 127), subject.length])),
    algorithm,
    distinguishedName(issuer),
    sequence(time(Math.min(Date.now(), until) - 2 * DAY), time(until)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)]);
  const base64 = sequence(body, algorithm, der(0x03, signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))));
}

function alternativeName(host: string): Buffer {
  switch (isIP(host)) {
    case 4:
      return der(0x87, Buffer.from(host.split('.').map(Number)));
    case 6:
      return der(0x87, ipv6(host));
    default:
      return der(0x82, Buffer.from(host));
  }
}

function ipv6(host: string): Buffer {
  const [before = [], after = []] = host.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function time(at: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/\.\d+|[-:T]/g, '')}`));
}
