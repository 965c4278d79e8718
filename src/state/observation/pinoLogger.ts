import { pino } from 'pino';
import { redacted } from '../../kubernetes/redaction/redacted.ts';
import { redactedData } from '../../kubernetes/redaction/redactedData.ts';
import type { Logger } from '../../kubernetes/observation.ts';

interface LoggerOptions {
  /** as in klog: 0 logs the least */
  verbosity: number;
  /** text: lines as klog writes them, for people; json: for machines */
  form: 'text' | 'json';
  /** receives one line without its line break */
  write: (line: string) => void;
  /** epoch milliseconds */
  now: () => number;
}

interface Entry {
  level: number;
  time: number;
  msg: string;
}

/** A logger based on pino. It redacts everything first. */
export function createLogger({ verbosity, form, write, now }: LoggerOptions): Logger {
  const destination = {
    write(line: string) {
      write(form === 'json' ? line.trimEnd() : textLine(JSON.parse(line) as Entry));
    },
  };
  const logger = pino(
    { base: null, level: 'info', timestamp: () => `,"time":${Math.floor(now())}` },
    destination,
  );
  const safe = (fields: object | undefined) => (fields === undefined ? {} : redactedData(fields));
  return {
    enabled: (wanted) => wanted <= verbosity,
    info(wanted, message, fields) {
      if (wanted <= verbosity) logger.info({ v: wanted, ...safe(fields) }, redacted(message));
    },
    error: (message, fields) => logger.error(safe(fields), redacted(message)),
  };
}

/** klog's header: I for info, E for errors; month, day and time, in UTC. */
function textLine({ level, time, msg, ...fields }: Entry & { v?: number }): string {
  const [date, clock] = new Date(time).toISOString().slice(5, -1).split('T') as [string, string];
  const { v: _verbosity, ...shown } = fields;
  const values = Object.entries(shown).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${level >= 50 ? 'E' : 'I'}${date.replace('-', '')} ${clock} ${msg}${values.join('')}`;
}
