import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { pause, untilAborted } from '../../operations/pause.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { printError, printNote } from '../../terminal/messages.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { type RunningRecording, startRecording } from '../../useCases/recording/startRecording.ts';
import { readState } from '../../useCases/state/openState.ts';
import { commandLine } from '../commandLine.ts';
import { UserError } from '../errors.ts';
import { EXIT_OK } from '../exitCodes.ts';
import { flagNames } from '../flagNames.ts';
import { ports } from '../ports.ts';
import { type SourceFlags, liveSourceFromFlags } from '../stateRequest.ts';
import { duration } from '../values.ts';
import { recordedText, recordingRequest } from './recordingFlags.ts';
import { whileRecorded } from './whileRecording.ts';
import { codeOf } from '../../state/systemProblem.ts';

interface RecordFlags extends Omit<SourceFlags, 'state'> {
  for?: string | undefined;
  'max-size'?: string | undefined;
}

/**
 * Records until the command ends, for the requested time, or until Ctrl-C or SIGTERM. Returns the command's exit code,
 * if any: a failed recording does not end the command.
 */
export async function recordControlPlane(
  file: string,
  command: readonly string[],
  flags: RecordFlags,
): Promise<number> {
  const milliseconds = duration('--for', flags.for);
  if (milliseconds !== undefined && command.length > 0)
    throw new UserError('--for and the command both limit the recording; give one of them');
  const request = recordingRequest(file, flags['max-size']);
  const { state, server } = await readState({ source: liveSourceFromFlags(flags) }, ports, {
    live: { templates: {} },
  });
  try {
    for (const warning of [...state.warnings, ...state.components.warnings]) ports.warn(warning);
    const interrupt = interruptible({ patient: () => command.length > 0 });
    try {
      const recording = await startRecording(server, state, request, ports);
      if (command.length > 0)
        return await whileRecorded(
          recording,
          file,
          () => runCommand(command),
          (code) => `${command[0]!} ended with exit code ${code}`,
        );
      const { clusters, bindings, works } = recording.world;
      printNote(
        `Recording ${clusters.length} clusters, ${bindings.length} bindings, ${works.length} Works of ${server.url}; Ctrl-C ends it.`,
      );
      const why = await endOf(recording, milliseconds, interrupt.signal);
      void writeToStdout(
        `${recordedText(file, await recording.stop(why))}\n\n${commandLine(['timeline', flagNames.ofState(file)])}\n`,
      );
      return EXIT_OK;
    } finally {
      interrupt.done();
    }
  } finally {
    server.close();
  }
}

/** Resolves with the reason to stop; rejects if the recording fails first. */
async function endOf(
  { ended }: RunningRecording,
  milliseconds: number | undefined,
  signal: AbortSignal,
): Promise<string> {
  const over = milliseconds ?? Infinity;
  const timely = Number.isFinite(over) ? pause(over, signal) : untilAborted(signal);
  await Promise.race([timely, ended]);
  return signal.aborted ? 'it was stopped' : 'its duration has elapsed';
}

/** Exit codes of shells for a command that does not exist, and for one that cannot be executed. */
const NOT_FOUND = 127;
const NOT_RUN = 126;
/** Shells add the number of the signal that ended a command. */
const BY_SIGNAL = 128;

/** Runs a command on this terminal, without a shell. Resolves to its exit code, as a shell reports it. */
function runCommand([program = '', ...words]: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const failed = (error: unknown): number => {
      const isMissing = codeOf(error) === 'ENOENT' || program === '';
      printError(
        `${program || '""'} ${isMissing ? 'is not found' : 'cannot be run'}; check the command after --`,
      );
      return isMissing ? NOT_FOUND : NOT_RUN;
    };
    let child: ChildProcess;
    try {
      child = spawn(program, words, { stdio: 'inherit' });
    } catch (error) {
      // Node throws some errors of the system, such as ENOTDIR, and emits the others
      return resolve(failed(error));
    }
    // the terminal sends Ctrl-C to the command, too
    const terminate = () => void child.kill('SIGTERM');
    process.on('SIGTERM', terminate);
    const end = (code: number) => {
      process.off('SIGTERM', terminate);
      resolve(code);
    };
    child.on('error', (error) => end(failed(error)));
    child.on('exit', (code, signal) =>
      end(code ?? BY_SIGNAL + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
