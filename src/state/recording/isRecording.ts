import { open } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import { RECORDING_BEGINS } from './rows.ts';

const ENOUGH_TO_KNOW = 4096;

/** Whether a regular file is a recording, by its beginning. False if it cannot be read. */
export async function isRecording(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(ENOUGH_TO_KNOW))) ?? { bytesRead: 0 };
    const start = buffer?.subarray(0, bytesRead);
    const isPacked = start?.[0] === 0x1f && start[1] === 0x8b;
    const text = isPacked ? gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH }) : start;
    return text?.toString('latin1', 0, RECORDING_BEGINS.length) === RECORDING_BEGINS;
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}
