import { exporterManifests } from '../../useCases/exporter/manifests/exporterManifests.ts';
import { imageOf, printParts } from '../controller/printManifests.ts';
import { EXIT_OK } from '../exitCodes.ts';
import { choice, namespaceName, objectName, wholeNumber } from '../values.ts';
import { recoveryTargets } from '../audit/recoveryTargets.ts';
import type { GivenFlags } from '../givenFlags.ts';
import type { exporterManifestsFlags } from './exporterFlags.ts';
import { EXPORTER_PORT } from './runExporter.ts';

/** Prints the manifests for `exporter run`, ready for kubectl apply. Returns the exit code. */
export async function printExporterManifests(
  flags: GivenFlags<typeof exporterManifestsFlags>,
): Promise<number> {
  const target = choice('--for', flags.for, ['karmada', 'host'] as const);
  const output = choice('--output', flags.output, ['yaml', 'json'] as const) ?? 'yaml';
  wholeNumber('--top', flags.top, 0);
  recoveryTargets(flags.rto ?? []);
  const made = exporterManifests({
    namespace: namespaceName('--namespace', flags.namespace ?? 'karmada-system'),
    image: target === 'karmada' ? '' : imageOf(flags.image, flags['image-digest']),
    port: EXPORTER_PORT,
    kubeconfigSecret: objectName(
      '--kubeconfig-secret',
      flags['kubeconfig-secret'] ?? 'karmada-failover-exporter-kubeconfig',
    ),
    tlsSecret: objectName('--tls-secret', flags['tls-secret'] ?? 'karmada-failover-exporter-tls'),
    args: ({ kubeconfig, certificate }) => [
      ...['exporter', 'run', `--kubeconfig=${kubeconfig}`],
      ...[`--tls-cert-file=${certificate.chain}`, `--tls-private-key-file=${certificate.key}`],
      ...(flags['group-by'] ?? []).map((one) => `--group-by=${one}`),
      ...(flags.pairs ? ['--pairs'] : []),
      ...(flags.rto ?? []).map((one) => `--rto=${one}`),
      ...(flags.top === undefined ? [] : [`--top=${flags.top}`]),
    ],
  });
  await printParts(made, target, output);
  return EXIT_OK;
}
