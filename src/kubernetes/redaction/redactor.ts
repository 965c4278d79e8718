import { redacted, REDACTED } from './redacted.ts';

/** Redacts the secrets that it has learned, whatever their form, and all that `redacted` finds. */
export interface Redactor {
  /** From now on this text is secret, unless it is shorter than four characters: other words would contain it. */
  learn(secret: string | undefined): void;
  redact(text: string): string;
}

const SHORTEST_SECRET = 4;

/** A redactor that knows no secret yet. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    learn(secret) {
      if (secret !== undefined && secret.length >= SHORTEST_SECRET) secrets.add(secret);
    },
    redact(text) {
      let plain = text;
      for (const secret of secrets) if (plain.includes(secret)) plain = plain.replaceAll(secret, REDACTED);
      return redacted(plain);
    },
  };
}
