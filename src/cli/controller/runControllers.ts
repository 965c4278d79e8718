import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { createLogger } from '../../state/observation/pinoLogger.ts';
import { createMetrics } from '../../state/observation/promMetrics.ts';
import { openProbeServer } from '../../state/observation/probeServer.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { presentable } from '../../presentation/presentable.ts';
import { sayEntry, sayError, sayNote } from '../../terminal/messages.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { printed, printedLine, textOutput } from '../../terminal/textOutput.ts';
import { idleControllers } from '../../useCases/controller/refusals.ts';
import type { ControllerHappening } from '../../useCases/controller/reporting.ts';
import { Problem } from '../../useCases/problem.ts';
import { runController, type Health } from '../../useCases/controller/runController.ts';
import type { ControllerSettings } from '../../useCases/controller/settings.ts';
import {
  controllerReportDocument,
  leaderDocument,
  leadershipLostDocument,
  newsDocument,
  startedDocument,
} from '../../views/controller/controllerEventDocument.ts';
import { controllerReport } from '../../views/controller/controllerReport.ts';
import { newsEntry, newsLine } from '../../views/controller/newsText.ts';
import { jsonLine } from '../../views/forms/jsonText.ts';
import { connectFromFlags, type ConnectionFlags } from '../connection.ts';
import { UserError } from '../errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_BAD_INPUT, EXIT_OK } from '../exitCodes.ts';
import { flagNames } from '../flagNames.ts';
import { ports } from '../ports.ts';
import { settingText } from '../problemText.ts';
import { hostFromFlags, type SourceFlags } from '../stateRequest.ts';
import { choice } from '../values.ts';
import { recordRun } from './recordRun.ts';
import { givenSettings, type SettingFlags } from './givenSettings.ts';
import { idleText, refusalText } from './refusalText.ts';

export interface ControllerRunFlags extends SettingFlags, ConnectionFlags, Omit<SourceFlags, 'state'> {
  config?: string | undefined;
  observe?: boolean | undefined;
  record?: string | undefined;
  assume?: string[] | undefined;
  output?: string | undefined;
  'logging-format'?: string | undefined;
}

/**
 * Runs controllers until SIGTERM or Ctrl-C: logs go to stderr; decisions to stdout, with -o or if nothing is written.
 * Returns the exit code.
 */
export async function runControllers(flags: ControllerRunFlags): Promise<number> {
  const output = choice('--output', flags.output, ['json'] as const);
  const form = choice('--logging-format', flags['logging-format'], ['json', 'text'] as const) ?? 'json';
  const given = await givenSettings(flags, flags.config);
  const observe = flags.observe ?? false;
  const write = form === 'json' ? sayEntry : sayNote;
  const logger = createLogger({ verbosity: Number(flags.v ?? 0), form, write, now: Date.now });
  const metrics = createMetrics(presentable);
  const warn = (text: string) => logger.info(0, text);
  const interrupt = interruptible();
  try {
    const end = await runController(
      {
        source: {
          connect: () => connectFromFlags(flags, false, { logger, metrics, warn }),
          connectHost: hostFromFlags(flags),
        },
        ...{ given, said: flags.assume ?? [], observe },
        ...{ identity: `${hostname()}_${randomUUID()}`, host: hostname(), signal: interrupt.signal },
      },
      {
        ...ports,
        ...{ warn, note: warn, names: flagNames, logger, metrics },
        tell: teller(observe, output, (message, fields) => logger.info(0, message, fields)),
        logged: (news) => newsEntry(news, !observe),
        presentable,
        // nothing refuses it then, and nothing is written yet
        async serve(settings, health) {
          const said = { ...ports, warn, note: warn };
          const end = flags.record === undefined ? undefined : await recordRun(flags.record, flags, said);
          try {
            const unserve = await serve(settings, health, metrics);
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
    for (const refusal of end.refusals) sayError(refusalText(refusal));
    return EXIT_ANSWER_IS_FAILURE;
  } catch (error) {
    if (!(error instanceof Problem) || error.data.code !== 'settings') throw error;
    for (const problem of error.data.problems) sayError(settingText(problem));
    return EXIT_BAD_INPUT;
  } finally {
    interrupt.done();
  }
}

async function serve(
  { bindAddress }: ControllerSettings,
  { notReady, refresh }: Health,
  metrics: ReturnType<typeof createMetrics>,
): Promise<() => Promise<void>> {
  if (!bindAddress) return () => Promise.resolve();
  const { host, port } = bindAddress;
  try {
    const scraped = {
      contentType: metrics.contentType,
      text() {
        refresh();
        return metrics.text();
      },
    };
    const server = await openProbeServer({ host, port, metrics: scraped, notReady });
    return () => server.close();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use' : message;
    throw new UserError(
      `--bind-address ${host ?? ''}:${port}: ${why}; give another one, or 0 to serve nothing`,
    );
  }
}

/** Prints what happens: with -o as lines of JSON, otherwise for people, if nothing is written. */
function teller(
  observe: boolean,
  output: 'json' | undefined,
  log: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): (happening: ControllerHappening) => void {
  const written = !observe;
  const print = (text: string) => void writeToStdout(text);
  return (happening) => {
    if (happening.type === 'started') logStart(happening, log);
    if (output === 'json') print(`${jsonLine(documentOf(happening, written))}\n`);
    else if (observe) {
      if (happening.type === 'news') {
        const line = newsLine(happening.news, written);
        if (line !== undefined) print(printedLine(line, textOutput()));
      } else if (happening.type === 'finished')
        print(printed(controllerReport(happening.report), textOutput()));
    }
  };
}

type Started = Extract<ControllerHappening, { type: 'started' }>;

function logStart(
  { settings, observe, clusters, bindings, refusals }: Started,
  log: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): void {
  log(observe ? 'Observing; nothing is written' : 'Started', {
    controllers: settings.controllers,
    karmadaVersion: settings.karmadaVersion,
    settings: Object.fromEntries(settings.values.map(({ name, value }) => [name, value])),
    ...{ clusters, bindings },
  });
  for (const idle of idleControllers(settings)) log(`Does nothing: ${idleText(idle)}`, {});
  for (const refusal of refusals) log(`It would not run without --observe: ${refusalText(refusal)}`, {});
}

function documentOf(happening: ControllerHappening, written: boolean): object {
  switch (happening.type) {
    case 'started': {
      const { time, settings, clusters, bindings, refusals } = happening;
      return startedDocument({
        ...{ time, written, clusters, bindings },
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
