import { oneLine } from '../oneLine.ts';
import { ApiError } from './apiError.ts';
import type { ApiServer } from './apiServer.ts';
import { serverPlace } from './serverPlace.ts';

/** The reason of errors about an unusable object or watch event from a server. */
export const BROKEN_OBJECT = 'BrokenObject';

/** Where an object was read or written. */
export interface Origin {
  server: Pick<ApiServer, 'url' | 'context'>;
  /** of the API */
  path: string;
}

/** An error for an object that does not fit its kind. */
export function brokenObject({ server, path }: Origin, problem: string): ApiError {
  return new ApiError(
    oneLine(
      `${serverPlace(server)} answers ${path} with a broken object: ${problem}; fix the object, or use a release of karmada-failover that knows this field`,
    ),
    { status: 0, reason: BROKEN_OBJECT },
  );
}

/** Whether a failure is due to a broken object or watch event: it recurs until that is fixed. */
export function isBrokenObject(error: unknown): boolean {
  return error instanceof ApiError && error.reason === BROKEN_OBJECT;
}
