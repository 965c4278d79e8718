import type { RequestOptions } from './apiServer.ts';

/** One request as the functions of ApiServer make it. */
export interface Call extends RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** a write that the server may have acted on is not repeated */
  write?: boolean;
  body?: unknown;
  contentType?: string;
}

/** Sends a call, repeats what may be repeated, and gives the text of the answer. Rejects with an ApiError. */
export type Send = (path: string, call: Call) => Promise<string>;
