import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityValue } from '../../kubernetes/quantity.ts';
import { visibleJson } from '../../presentation/visible.ts';
import type { RecordedSummary, RecordingRequest } from '../../useCases/recording/startRecording.ts';
import { plural } from '../../views/words/amounts.ts';
import { duration } from '../../views/words/duration.ts';
import { visible } from '../../presentation/visible.ts';
import { UserError } from '../errors.ts';

/** The requested recording. Throws a UserError for an invalid size. */
export function recordingRequest(file: string, maxSize?: string): RecordingRequest {
  return { file, mostBytes: bytesOf('--max-size', maxSize), escaped: visibleJson };
}

/** Smaller files would be full at once. */
const LEAST_BYTES = 64 * 1024;

function bytesOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  let bytes = NaN;
  try {
    bytes = Number(quantityValue(parseQuantity(text)));
  } catch {
    // reported by the error below
  }
  if (!(bytes >= LEAST_BYTES))
    throw new UserError(`${flag} "${text}" is not a size of 64Ki or more, such as 100Mi`);
  return bytes;
}

/** "incident.rec: 57 changes in 2m3s, 12 kB" */
export function recordedText(file: string, { changes, took, bytes }: RecordedSummary): string {
  const size = bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
  return `${visible(file)}: ${plural(changes, 'change')} in ${duration(took)}, ${size}`;
}
