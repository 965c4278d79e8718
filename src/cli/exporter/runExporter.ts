import { availableParallelism } from 'node:os';
import { presentable } from '../../presentation/presentable.ts';
import { createMetrics } from '../../state/observation/promMetrics.ts';
import type { ServedPage } from '../../state/observation/probeServer.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { readAddress } from '../../useCases/controller/settings.ts';
import type { SettingProblem } from '../../useCases/problem.ts';
import { auditMetrics } from '../../useCases/exporter/auditMetrics.ts';
import { followAudit, type FollowedAudit, type CurrentAudit } from '../../useCases/exporter/followAudit.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { AuditInput } from '../../views/audit/auditInput.ts';
import { auditDocument } from '../../views/audit/auditAnswer.ts';
import { auditPage } from '../../views/audit/auditPage.ts';
import { jsonText } from '../../views/forms/jsonText.ts';
import { auditThreads } from '../audit/auditThreads.ts';
import { recoveryTargets } from '../audit/recoveryTargets.ts';
import { connectFromFlags } from '../connectFromFlags.ts';
import { UserError } from '../errors.ts';
import { EXIT_OK } from '../exitCodes.ts';
import { flagNames } from '../flagNames.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { settingText } from '../problemText.ts';
import { serve, serviceLogger } from '../serving.ts';
import { assumedFromFlags, hostFromFlags } from '../stateRequest.ts';
import { threadFile } from '../threadFile.ts';
import type { exporterRunFlags } from './exporterFlags.ts';
import { duration, wholeNumber } from '../values.ts';

export const EXPORTER_PORT = 10359;

/** Milliseconds between two audits: answers are at most a minute old if an audit takes less than 30 s. */
const EVERY = 30_000;

/** Audits a control plane and serves the results until SIGTERM or Ctrl-C. Returns the exit code. */
export async function runExporter(flags: GivenFlags<typeof exporterRunFlags>, root: string): Promise<number> {
  const serving = servingOf(flags);
  const top = wholeNumber('--top', flags.top, 0) ?? 20;
  const logger = serviceLogger(flags);
  const say = (text: string) => logger.info(0, text);
  const silent = { report: () => undefined, done: () => undefined };
  const ports: Ports = { warn: say, note: say, startProgress: () => silent, names: flagNames };
  const requests = createMetrics(presentable);
  const interrupt = interruptible();
  const file = threadFile(root);
  let unserve: (() => Promise<void>) | undefined;
  try {
    await followAudit(
      {
        state: {
          source: {
            connect: () => connectFromFlags(flags, false, { logger, metrics: requests, warn: say }),
            connectHost: hostFromFlags(flags),
          },
          ...assumedFromFlags(flags),
        },
        selection: {},
        groupBy: flags['group-by'] ?? [],
        pairs: flags.pairs ?? false,
        targets: recoveryTargets(flags.rto ?? []),
        threads: file === undefined ? undefined : auditThreads(file, availableParallelism()),
        every: duration('--every', flags.every) ?? EVERY,
        stopwatch: () => performance.now(),
        processor() {
          const { user, system } = process.cpuUsage();
          return (user + system) / 1000;
        },
        signal: interrupt.signal,
      },
      async (followed) => {
        const health = { notReady: followed.notReady, refresh: () => undefined };
        unserve = await serve(serving, health, scraped(followed, top, requests), flags, logger, {
          '/': ofStanding(followed, 'text/html; charset=utf-8', (input) =>
            [...auditPage(input, flagNames)].join(''),
          ),
          '/api/audit': ofStanding(followed, 'application/json', (input) =>
            [...jsonText(auditDocument(input))].join(''),
          ),
        });
        say('Serving; the first audit begins');
      },
      ports,
    );
    return EXIT_OK;
  } finally {
    await unserve?.();
    interrupt.done();
  }
}

/** A new registry for each scrape, so that deleted clusters leave no series; with the request counters. */
function scraped(followed: FollowedAudit, top: number, requests: ReturnType<typeof createMetrics>) {
  return {
    contentType: requests.contentType,
    async text() {
      const metrics = createMetrics(presentable);
      auditMetrics(metrics, followed, top);
      return `${await metrics.text()}${await requests.text()}`;
    },
  };
}

/** The page of the last audit, rendered once per audit. */
function ofStanding(
  followed: FollowedAudit,
  type: string,
  make: (input: AuditInput) => string,
): () => ServedPage | undefined {
  let made: { of: CurrentAudit; page: ServedPage } | undefined;
  return () => {
    const standing = followed.standing();
    if (!standing) return undefined;
    if (made?.of !== standing) made = { of: standing, page: { type, body: make(standing) } };
    return made.page;
  };
}

/** The listening address. Throws a UserError that names the flag. */
function servingOf(flags: GivenFlags<typeof exporterRunFlags>) {
  const problems: SettingProblem[] = [];
  const address = flags['bind-address'] ?? `:${EXPORTER_PORT}`;
  const bindAddress = readAddress(address, { place: '--bind-address' }, problems);
  if (problems[0]) throw new UserError(settingText(problems[0]));
  if (!bindAddress) throw new UserError('--bind-address 0: an exporter needs an address; give one');
  const certFile = flags['tls-cert-file'];
  const keyFile = flags['tls-private-key-file'];
  const authenticationKubeconfig = flags['authentication-kubeconfig'];
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UserError('--tls-cert-file and --tls-private-key-file belong together; give both');
  if (certFile === undefined || keyFile === undefined) {
    if (authenticationKubeconfig !== undefined)
      throw new UserError(
        '--authentication-kubeconfig needs --tls-cert-file and --tls-private-key-file: without TLS no token is checked',
      );
    return { bindAddress, secureServing: undefined };
  }
  return { bindAddress, secureServing: { certFile, keyFile, authenticationKubeconfig } };
}
