import type { connectionFlags } from './connectionFlags.ts';
import type { GivenFlags } from './givenFlags.ts';
import type { Logger, Metrics } from '../kubernetes/observation.ts';
import type { ApiServer } from '../state/live/apiServer.ts';
import { printLogLine, printNote, printWarning } from '../terminal/messages.ts';

export type ConnectionFlags = GivenFlags<typeof connectionFlags>;

/** Where a long-running service reports its requests. */
interface Observation {
  logger: Logger;
  metrics: Metrics;
  warn: (text: string) => void;
}

/**
 * The API server that the flags and the kubeconfig name; its warnings go to stderr, unless a service receives them.
 * Does not connect yet. Rejects with a StateError if something that they name does not exist; with `takesFiles` the
 * error suggests --state.
 */
export async function connectFromFlags(
  flags: ConnectionFlags,
  takesFiles = false,
  service?: Observation,
): Promise<ApiServer> {
  const { connect } = await import('../state/live/connect.ts');
  const logger = service?.logger ?? (await loggerOf(flags));
  return connect({
    kubeconfig: flags.kubeconfig,
    karmadaContext: flags['karmada-context'],
    context: flags.context,
    cluster: flags.cluster,
    user: flags.user,
    server: flags.server,
    tlsServerName: flags['tls-server-name'],
    certificateAuthority: flags['certificate-authority'],
    insecureSkipTlsVerify: flags['insecure-skip-tls-verify'],
    token: flags.token,
    clientCertificate: flags['client-certificate'],
    clientKey: flags['client-key'],
    as: flags.as,
    asGroups: flags['as-group'],
    asUid: flags['as-uid'],
    requestTimeout: flags['request-timeout'],
    instead: takesFiles ? '--state FILE for a captured one' : undefined,
    logger,
    metrics: service?.metrics,
    warn: service?.warn ?? printWarning,
    pluginSays: printNote,
  });
}

/** The logger for -v; undefined, and not loaded, if nothing is logged at that level. */
async function loggerOf({ v = '0' }: ConnectionFlags): Promise<Logger | undefined> {
  if (Number(v) < 6) return undefined;
  const { createLogger } = await import('../state/observation/pinoLogger.ts');
  return createLogger({ verbosity: Number(v), form: 'text', write: printLogLine, now: Date.now });
}
