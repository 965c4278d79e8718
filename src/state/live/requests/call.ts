import type { RequestOptions } from '../apiServer.ts';

/** One request of the functions of ApiServer. */
export interface Call extends RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** marks a write: it is not retried if the server may have acted on it */
  write?: boolean;
  body?: unknown;
  contentType?: string;
  /** the most bytes of the answer; default: as many as V8 can hold */
  most?: number | undefined;
}

/** Sends a call, retries it if that is safe, and resolves to the text of the answer. Rejects with an ApiError. */
export type Send = (path: string, call: Call) => Promise<string>;
