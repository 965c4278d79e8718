import type { Logger } from '../kubernetes/observation.ts';
import { openProbeServer, type ProbeServerOptions } from '../state/observation/probeServer.ts';
import type { ScrapedMetrics } from '../state/observation/promMetrics.ts';
import { scraperReviews } from '../state/observation/scrapers.ts';
import type { Health } from '../useCases/controller/runController.ts';
import type { ControllerSettings, SecureServing } from '../useCases/controller/settings.ts';
import { connectFromFlags, type ConnectionFlags } from './connectFromFlags.ts';
import { UserError } from './errors.ts';
import type { GivenFlags } from './givenFlags.ts';
import type { loggingFlags } from './controller/runFlags.ts';
import { choice } from './values.ts';
import { printLogEntry, printLogLine } from '../terminal/messages.ts';
import { createLogger } from '../state/observation/pinoLogger.ts';
import { setLongWaitListener } from '../state/longWait.ts';

/** The log of a service on stderr. Throws a UserError if --logging-format is wrong. */
export function serviceLogger(flags: GivenFlags<typeof loggingFlags>): Logger {
  const form = choice('--logging-format', flags['logging-format'], ['json', 'text'] as const) ?? 'json';
  const write = form === 'json' ? printLogEntry : printLogLine;
  const logger = createLogger({ verbosity: Number(flags.v ?? 0), form, write, now: Date.now });
  // with JSON logs, stderr contains nothing else
  setLongWaitListener((line) => logger.info(0, line));
  return logger;
}

/** Serves health, metrics and pages; the returned function stops it. Rejects with a UserError that names the flag. */
export async function serve(
  { bindAddress, secureServing }: Pick<ControllerSettings, 'bindAddress' | 'secureServing'>,
  { notReady, refresh }: Health,
  metrics: Pick<ScrapedMetrics, 'text' | 'contentType'>,
  flags: ConnectionFlags,
  logger: Logger,
  pages?: ProbeServerOptions['pages'],
): Promise<() => Promise<void>> {
  if (!bindAddress) return () => Promise.resolve();
  const { host, port } = bindAddress;
  const secure = secureServing && (await reviewedBy(secureServing, flags, logger));
  try {
    const scraped = {
      contentType: metrics.contentType,
      text() {
        refresh();
        return metrics.text();
      },
    };
    const server = await openProbeServer({
      host,
      port,
      metrics: scraped,
      notReady,
      secure,
      ...(pages && { pages }),
    });
    return async () => {
      await server.close();
      secure?.close();
    };
  } catch (error) {
    secure?.close();
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (secure && syscall !== 'listen')
      throw new UserError(
        `--tls-cert-file ${secure.certFile}, --tls-private-key-file ${secure.keyFile}: ${message}`,
      );
    const why = code === 'EADDRINUSE' ? 'is in use' : message;
    throw new UserError(
      `--bind-address ${host ?? ''}:${port}: ${why}; give another one, or 0 to serve nothing`,
    );
  }
}

/** TLS, and authorization reviews of scrapers over a separate connection. */
async function reviewedBy(serving: SecureServing, flags: ConnectionFlags, logger: Logger) {
  const { authenticationKubeconfig: kubeconfig } = serving;
  const server = await connectFromFlags(kubeconfig === undefined ? flags : { kubeconfig });
  return {
    ...serving,
    mayScrape: scraperReviews(server, {
      now: () => performance.now(),
      onFailure: (error) => logger.error('A token for /metrics could not be reviewed', { error }),
    }),
    onFailure: (error: string) => logger.error('The renewed certificate cannot be used', { error }),
    close: () => server.close(),
  };
}
