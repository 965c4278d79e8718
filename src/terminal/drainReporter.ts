import type { DrainEvent, DrainProgress, DrainResult } from '../analysis/drain/decide/drainStep.ts';
import type { DrainPlan } from '../analysis/drain/plan/drainPlan.ts';
import {
  drainEventDocument,
  drainResultDocument,
  eventLine,
  eventWords,
  isRemarkable,
  newReasons,
  resultLines,
} from '../views/drain/events.ts';
import { plannedDeparture } from '../views/drain/phases.ts';
import { fitsScreen } from './capabilities.ts';
import { plainStyle } from '../presentation/text/style.ts';
import { repeatsOfProcess, withCount } from './repeats.ts';
import { redirectLines } from './redirected.ts';
import { charactersFor } from './screen/characters.ts';
import { isEmpty } from '../presentation/words.ts';
import { documentLine } from '../views/forms/jsonText.ts';
import { printed, printedLine, textOutput, type TextOutput } from './textOutput.ts';

/** Reports the progress of a drain on stdout, and finally its result. */
interface DrainReporter {
  event(event: DrainEvent): void;
  progress(progress: DrainProgress): void;
  /** after the first Ctrl-C */
  stopping(): void;
  /** removes the live view; also if the drain failed */
  close(): Promise<void>;
  /** call it after `close` */
  result(result: DrainResult): void;
}

/** How a drain is reported: documents for machines, a live view, or one line per change. */
type ReportForm = 'json' | 'screen' | 'plain';

/** The form that fits. A screen needs a terminal for its keys, and a user who sees it. */
export function reportForm(
  { output, progress }: { output?: string | undefined; progress?: string | undefined },
  terminal: Parameters<typeof fitsScreen>[0],
): ReportForm {
  if (output === 'json') return 'json';
  return progress !== 'plain' && fitsScreen(terminal) ? 'screen' : 'plain';
}

/** Opens the reporter; it estimates the remaining time from `plan`. Its screen passes Ctrl-C on as SIGINT. */
export async function openReporter(
  form: ReportForm,
  plan: DrainPlan,
  { stdin, stdout, stderr, env }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>,
  timeoutAssumed = false,
): Promise<DrainReporter> {
  const output = textOutput({ stdout, env });
  if (form === 'json') return jsonReporter(stdout);
  const lines = lineReporter(plan, output, (text) => stdout.write(text));
  const stopping = () => void stderr.write('stopping after the current write; Ctrl-C again ends at once\n');
  if (form === 'plain') return { ...lines, stopping };

  const { openDrainScreen } = await import('./drain/openDrainScreen.tsx');
  const screen = await openDrainScreen({
    stdin,
    stdout,
    style: output.style,
    coloured: output.style !== plainStyle,
    characters: charactersFor(env),
    departure: plannedDeparture(plan),
    timeoutAssumed,
    interrupt: () => void process.kill(process.pid, 'SIGINT'),
    hungUp: () => void process.kill(process.pid, 'SIGHUP'),
  });
  const giveBack = stderr.isTTY ? redirectLines(stderr, screen.said) : () => undefined;
  const isNews = newReasons();
  let startedAt: number | undefined;
  return {
    event(event) {
      startedAt ??= event.time;
      if (!isNews(event) || isEmpty(eventLine(event, startedAt))) return;
      screen.event(event);
      if (isRemarkable(event)) screen.keep(printedLine(eventLine(event, startedAt), output).trimEnd());
    },
    progress: (progress) => screen.show(progress),
    stopping: () => screen.stopping(),
    async close() {
      giveBack();
      screen.close();
    },
    result: (result) => lines.result(result),
  };
}

type Lines = Pick<DrainReporter, 'event' | 'progress' | 'close' | 'result'>;

function lineReporter(
  { options, workloads }: DrainPlan,
  output: TextOutput,
  print: (text: string) => void,
): Lines {
  const staying = workloads.filter(({ fate }) => fate === 'stays');
  const isNews = newReasons();
  const lines = repeatsOfProcess(({ text }, repeated) =>
    print(`${repeated ? withCount(text, repeated) : text}\n`),
  );
  let startedAt: number | undefined;
  return {
    event(event) {
      startedAt ??= event.time;
      const line = isNews(event) ? eventLine(event, startedAt) : '';
      if (isEmpty(line)) return;
      lines.line({
        text: printedLine(line, output).trimEnd(),
        key: printedLine(eventWords(event), output),
        failure: event.type === 'conflict',
      });
    },
    progress: () => undefined,
    close: async () => lines.end(),
    result: (result) => print(printed(resultLines(result, options.clusters, staying), output)),
  };
}

function jsonReporter(stdout: NodeJS.WriteStream): DrainReporter {
  let startedAt: number | undefined;
  return {
    event(event) {
      startedAt ??= event.time;
      // `result` prints the result, even if the drain failed to report it
      if (event.type !== 'finished') stdout.write(`${documentLine(drainEventDocument(event, startedAt))}\n`);
    },
    progress: () => undefined,
    stopping: () => undefined,
    close: async () => undefined,
    result: (result) => void stdout.write(`${documentLine(drainResultDocument(result))}\n`),
  };
}
