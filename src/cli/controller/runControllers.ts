import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { presentable } from '../../presentation/presentable.ts';
import { createMetrics } from '../../state/observation/promMetrics.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { printError } from '../../terminal/messages.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { printed, printedLine, textOutput } from '../../terminal/textOutput.ts';
import { idleControllers } from '../../useCases/controller/refusals.ts';
import type { ControllerEvent } from '../../useCases/controller/reporting.ts';
import { runController } from '../../useCases/controller/runController.ts';
import type { Ports } from '../../useCases/ports.ts';
import { Problem } from '../../useCases/problem.ts';
import { startRecording } from '../../useCases/recording/startRecording.ts';
import { readState } from '../../useCases/state/openState.ts';
import {
  controllerReportDocument,
  leaderDocument,
  leadershipLostDocument,
  newsDocument,
  startedDocument,
} from '../../views/controller/controllerEventDocument.ts';
import { controllerReport } from '../../views/controller/controllerReport.ts';
import { newsEntry, newsLine } from '../../views/controller/newsText.ts';
import { documentLine } from '../../views/forms/jsonText.ts';
import { connectFromFlags } from '../connectFromFlags.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_BAD_INPUT, EXIT_OK } from '../exitCodes.ts';
import { flagNames } from '../flagNames.ts';
import { ports } from '../ports.ts';
import { serve, serviceLogger } from '../serving.ts';
import { settingText } from '../problemText.ts';
import { recordingRequest } from '../recording/recordingFlags.ts';
import { whileRecorded } from '../recording/whileRecording.ts';
import { type SourceFlags, hostFromFlags, liveSourceFromFlags } from '../stateRequest.ts';
import { choice } from '../values.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { givenSettings } from './givenSettings.ts';
import type { controllerRunFlags } from './runFlags.ts';
import { idleControllerText, refusalText } from './refusalText.ts';
import type { PrintedDocument } from '../../views/answer.ts';

/**
 * Runs controllers until SIGTERM or Ctrl-C: logs go to stderr; decisions to stdout, with -o or if nothing is written.
 * Returns the exit code.
 */
export async function runControllers(flags: GivenFlags<typeof controllerRunFlags>): Promise<number> {
  const output = choice('--output', flags.output, ['json'] as const);
  const logger = serviceLogger(flags);
  const given = await givenSettings(flags, flags.config);
  const observe = flags.observe ?? false;
  const metrics = createMetrics(presentable);
  const warn = (text: string) => logger.info(0, text);
  // the first signal finishes pending work and releases the Lease; a second one exits at once
  let begun = false;
  const interrupt = interruptible({ patient: () => begun });
  try {
    const end = await runController(
      {
        source: {
          connect: () => connectFromFlags(flags, false, { logger, metrics, warn }),
          connectHost: hostFromFlags(flags),
        },
        given,
        said: flags.assume ?? [],
        observe,
        identity: `${hostname()}_${randomUUID()}`,
        host: hostname(),
        signal: interrupt.signal,
      },
      {
        ...ports,
        warn,
        note: warn,
        names: flagNames,
        logger,
        metrics,
        notify: newsWriter(observe, output, (message, fields) => logger.info(0, message, fields)),
        logged: (news) => newsEntry(news, !observe),
        presentable,
        // no refusal is possible from here on, and nothing is written yet
        async serve(settings, health) {
          const said = { ...ports, warn, note: warn };
          const end = flags.record === undefined ? undefined : await recordRun(flags.record, flags, said);
          try {
            const unserve = await serve(settings, health, metrics, flags, logger);
            begun = true;
            return async () => {
              await unserve();
              await end?.();
            };
          } catch (error) {
            await end?.();
            throw error;
          }
        },
      },
    );
    if (end.ended === 'stopped') return EXIT_OK;
    for (const refusal of end.refusals) printError(refusalText(refusal));
    return EXIT_ANSWER_IS_FAILURE;
  } catch (error) {
    if (!(error instanceof Problem) || error.data.code !== 'settings') throw error;
    for (const problem of error.data.problems) printError(settingText(problem));
    return EXIT_BAD_INPUT;
  } finally {
    interrupt.done();
  }
}

/** Prints events: with -o as lines of JSON; otherwise as text, if nothing is written. */
function newsWriter(
  observe: boolean,
  output: 'json' | undefined,
  log: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): (happening: ControllerEvent) => void {
  const written = !observe;
  const print = (text: string) => void writeToStdout(text);
  return (happening) => {
    if (happening.type === 'started') logStart(happening, log);
    if (output === 'json') print(`${documentLine(documentOf(happening, written))}\n`);
    else if (observe) {
      if (happening.type === 'news') {
        const line = newsLine(happening.news, written);
        if (line !== undefined) print(printedLine(line, textOutput()));
      } else if (happening.type === 'finished')
        print(printed(controllerReport(happening.report), textOutput()));
    }
  };
}

type Started = Extract<ControllerEvent, { type: 'started' }>;

function logStart(
  { settings, observe, clusters, bindings, refusals }: Started,
  log: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): void {
  log(observe ? 'Observing; nothing is written' : 'Started', {
    controllers: settings.controllers,
    karmadaVersion: settings.karmadaVersion,
    settings: Object.fromEntries(settings.values.map(({ name, value }) => [name, value])),
    clusters,
    bindings,
  });
  for (const idle of idleControllers(settings)) log(`Does nothing: ${idleControllerText(idle)}`, {});
  for (const refusal of refusals) log(`It would not run without --observe: ${refusalText(refusal)}`, {});
}

function documentOf(happening: ControllerEvent, written: boolean): PrintedDocument {
  switch (happening.type) {
    case 'started': {
      const { time, settings, clusters, bindings, refusals } = happening;
      return startedDocument({
        time,
        written,
        clusters,
        bindings,
        karmadaVersion: settings.karmadaVersion,
        controllers: settings.controllers,
        settings: settings.values,
        refusals: refusals.map(refusalText),
      });
    }
    case 'leader':
      return leaderDocument(happening.time, happening.holder, happening.self);
    case 'leadership-lost':
      return leadershipLostDocument(happening.time);
    case 'news':
      return newsDocument(happening.news, written);
    case 'finished':
      return controllerReportDocument(happening.report, written);
  }
}

/** Controllers run for weeks: a file of this size is renamed to FILE.1, and FILE starts again. */
const MAX_BYTES = '100Mi';

/**
 * Starts recording the control plane over its own connection; resolves once the initial state is in the file. Call the
 * result to stop. Later failures are only reported. Rejects with a StateError if the file exists or cannot be written.
 */
async function recordRun(
  file: string,
  flags: Omit<SourceFlags, 'state'>,
  ports: Ports,
): Promise<() => Promise<void>> {
  const { state, server } = await readState({ source: liveSourceFromFlags(flags) }, ports, {
    live: { templates: {} },
  });
  try {
    const recording = await startRecording(server, state, recordingRequest(file, MAX_BYTES), ports);
    let over: () => void = () => undefined;
    const run = new Promise<void>((resolve) => (over = resolve));
    const recorded = whileRecorded(
      recording,
      file,
      () => run,
      () => 'the controllers have ended',
      { note: ports.note, error: ports.warn },
    );
    return async () => {
      over();
      await recorded;
      server.close();
    };
  } catch (error) {
    server.close();
    throw error;
  }
}
