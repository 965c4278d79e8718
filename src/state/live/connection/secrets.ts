import { createRedactor, type Redactor } from '../../../kubernetes/redaction/redactedData.ts';
import { isSecretName, secretInWord } from '../../../kubernetes/redaction/redacted.ts';
import type { Credential, Credentials } from './credential.ts';
import type { Endpoint } from './resolvedEndpoint.ts';

/** Redacts the secrets of kubeconfig and flags, which a server may repeat in errors or warnings. */
export function redactorOf({ user, cluster, server }: Endpoint, proxy: URL | undefined): Redactor {
  const redactor = createRedactor();
  redactor.learn(user.token?.trim());
  redactor.learn(user.password);
  if (user.username && user.password) redactor.learn(basic(user.username, user.password));
  redactor.learn(user['client-key-data']);
  const words = user.exec?.args ?? [];
  words.forEach((word, at) => {
    const from = secretInWord(words, at);
    if (from !== undefined) redactor.learn(word.slice(from));
  });
  // whatever their names: users pass passwords to plugins this way
  for (const { value } of user.exec?.env ?? []) redactor.learn(value);
  for (const [name, value] of Object.entries(user['auth-provider']?.config ?? {}))
    if (isSecretName(name)) redactor.learn(value);
  for (const url of [server, proxy, cluster['proxy-url']]) learnUserOf(url, redactor);
  return redactor;
}

function learnUserOf(url: URL | string | undefined, redactor: Redactor): void {
  if (typeof url === 'string' && !URL.canParse(url)) return;
  const password = url && new URL(url).password;
  if (!password) return;
  redactor.learn(password);
  try {
    redactor.learn(decodeURIComponent(password));
  } catch {
    // not percent-encoded: used as it is
  }
}

/** Credentials that register each new secret with the redactor, such as a plugin's token. */
export function withRedaction(credentials: Credentials, redactor: Redactor): Credentials {
  return {
    async current() {
      const credential = await credentials.current();
      learnCredential(credential, redactor);
      return credential;
    },
    refused: (credential) => credentials.refused(credential),
  };
}

function learnCredential({ authorization, certificate }: Credential, redactor: Redactor): void {
  redactor.learn(authorization?.slice(authorization.indexOf(' ') + 1));
  redactor.learn(certificate?.key.toString());
}

function basic(username: string, password: string): string {
  return Buffer.from(`${username}:${password}`).toString('base64');
}
