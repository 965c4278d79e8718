import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { presentable } from '../../presentation/presentable.ts';
import { printError, printNote } from '../../terminal/messages.ts';
import { startRecording } from '../../useCases/recording/startRecording.ts';
import type { OpenedState } from '../../useCases/state/openState.ts';
import { readRecordedTimeline } from '../../useCases/timeline/readTimeline.ts';
import { historyReport, historyVerdict } from '../../views/report/historyReport.ts';
import { flagNames } from '../flagNames.ts';
import { ports } from '../ports.ts';
import { recordingRequest } from '../recording/recordingFlags.ts';
import { whileRecorded } from '../recording/whileRecording.ts';
import { writeReport } from '../report/reportFlag.ts';

/** Milliseconds by which the recorder, with its own watch, may lag behind the drain. */
const ON_THE_WAY = 1000;

interface Reported {
  report: string;
  /** the recording; absent: none was requested, and none is kept */
  record?: string | undefined;
  /** the drained clusters */
  clusters: readonly string[];
}

/**
 * Carries out a drain while recording the control plane, and writes the events as a page, however it ends. Without a
 * recording the drain does not start; later failures of the recording or the page are only reported.
 */
export async function whileReported<Result>(
  server: ApiServer,
  state: OpenedState,
  { report, record, clusters }: Reported,
  carryOut: () => Promise<Result>,
): Promise<Result> {
  const folder = record === undefined ? await mkdtemp(join(tmpdir(), 'karmada-failover-')) : undefined;
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  // a second Ctrl-C ends the process at once
  process.on('exit', remove);
  try {
    const file = record ?? join(folder!, 'drain.rec');
    const recording = await startRecording(server, state.loaded, recordingRequest(file), ports);
    const act = async () => {
      try {
        return await carryOut();
      } finally {
        await sleep(ON_THE_WAY);
      }
    };
    const note = record === undefined ? () => undefined : printNote;
    try {
      return await whileRecorded(recording, file, act, () => 'the recorded command has ended', {
        note,
        error: printError,
      });
    } finally {
      await writePage(file, report, clusters, state);
    }
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function writePage(
  file: string,
  page: string,
  clusters: readonly string[],
  state: OpenedState,
): Promise<void> {
  try {
    const title = `Drain of ${clusters.join(', ')}`;
    const happened = await readRecordedTimeline(file, state);
    await writeReport(
      page,
      historyReport({ ...happened, single: false }, flagNames, { kind: 'Drain', title }),
    );
    printNote(`${presentable(page)}: ${historyVerdict(happened.history, title)}`);
  } catch (error) {
    printError(`no report was written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
