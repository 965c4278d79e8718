import { readManifests } from '../../state/manifests/readManifests.ts';
import { printError, printNote } from '../../terminal/messages.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { controllerManifests } from '../../useCases/controller/manifests/controllerManifests.ts';
import type { AnyManifest } from '../../useCases/controller/manifests/controlPlaneManifests.ts';
import { Problem } from '../../useCases/problem.ts';
import { manifestJson, manifestYaml } from '../../views/controller/manifestText.ts';
import { connectFromFlags } from '../connectFromFlags.ts';
import { UserError } from '../errors.ts';
import { EXIT_BAD_INPUT, EXIT_OK } from '../exitCodes.ts';
import { flagNames } from '../flagNames.ts';
import { settingText } from '../problemText.ts';
import { choice, namespaceName, objectName, wholeNumber } from '../values.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { givenSettings } from './givenSettings.ts';
import type { controllerManifestsFlags } from './runFlags.ts';

const HEADINGS: Record<'karmada' | 'host', string> = {
  karmada: 'For the Karmada API server',
  host: "For the cluster that Karmada's components run in",
};

/** Prints the manifests for `controller run`, ready for kubectl apply. Returns the exit code. */
export async function printManifests(flags: GivenFlags<typeof controllerManifestsFlags>): Promise<number> {
  const target = choice('--for', flags.for, ['karmada', 'host'] as const);
  const image = target === 'karmada' ? '' : imageOf(flags.image, flags['image-digest']);
  const tlsSecret = flags['tls-secret'];
  const output = choice('--output', flags.output, ['yaml', 'json'] as const) ?? 'yaml';
  try {
    const made = await controllerManifests({
      given: await givenSettings(flags, flags.config),
      args: ({ config, kubeconfig, certificate }) => [
        ...['controller', 'run', `--config=${config}`, `--kubeconfig=${kubeconfig}`],
        ...(flags.assume ?? []).map((one) => `--assume=${one}`),
        ...(certificate
          ? [`--tls-cert-file=${certificate.chain}`, `--tls-private-key-file=${certificate.key}`]
          : []),
      ],
      crds: target === 'host' ? [] : await crdsIn(flags.filename),
      connect: () => connectFromFlags(flags),
      namespace: namespaceName('--namespace', flags.namespace ?? 'karmada-system'),
      image,
      replicas: wholeNumber('--replicas', flags.replicas ?? '2', 1),
      kubeconfigSecret: objectName(
        '--kubeconfig-secret',
        flags['kubeconfig-secret'] ?? 'karmada-failover-controller-kubeconfig',
      ),
      tlsSecret: tlsSecret === undefined ? undefined : objectName('--tls-secret', tlsSecret),
      names: flagNames,
    });
    if (target !== 'host' && made.missing.length > 0)
      throw new UserError(
        `-f: there is no CRD for ${made.missing.join(', ')}; give those that Karmada ships (charts/karmada/_crds), or leave -f out to read them from the control plane`,
      );
    await printParts(made, target, output);
    if (target !== 'karmada' && !made.scraped)
      printNote(
        'Its metrics are served only inside the Pod: for Prometheus give the Secret of a certificate with --tls-secret.',
      );
    return EXIT_OK;
  } catch (error) {
    if (!(error instanceof Problem) || error.data.code !== 'settings') throw error;
    for (const problem of error.data.problems) printError(settingText(problem));
    return EXIT_BAD_INPUT;
  }
}

/**
 * --image is required: no image of karmada-failover is published, and anyone could own an invented name. A digest pins
 * it.
 */
export function imageOf(given: string | undefined, digest: string | undefined): string {
  if (given === undefined)
    throw new UserError(
      '--image is missing, the image that the Deployment runs; build it from the Dockerfile of this project (npm run dist, then docker build -f Dockerfile -t REGISTRY/karmada-failover:VERSION release) and name it, or give --for karmada',
    );
  if (!/^[A-Za-z0-9[][\w./:@[\]-]*$/.test(given))
    throw new UserError(
      `--image ${JSON.stringify(given)} is not the name of an image; give one such as registry.example/karmada-failover:v1`,
    );
  if (digest === undefined) return given;
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new UserError(
      `--image-digest ${JSON.stringify(digest)} is not a digest; give sha256: and 64 hexadecimal digits, as docker push prints them`,
    );
  if (given.includes('@'))
    throw new UserError(`--image ${given} has a digest already; leave --image-digest out`);
  return `${given}@${digest}`;
}

async function crdsIn(files: readonly string[] | undefined): Promise<AnyManifest[] | undefined> {
  if (!files?.length) return undefined;
  const { manifests } = await readManifests({ files }, () => process.stdin);
  return manifests
    .filter(({ object }) => object.kind === 'CustomResourceDefinition')
    .map(({ object }) => object as AnyManifest);
}

/** Prints the manifests for one API server or both. */
export async function printParts(
  made: Readonly<Record<'karmada' | 'host', readonly AnyManifest[]>>,
  target: 'karmada' | 'host' | undefined,
  output: 'yaml' | 'json',
): Promise<void> {
  const parts = (['karmada', 'host'] as const).filter((part) => target === undefined || part === target);
  if (output === 'json') {
    const items = parts.flatMap((part) => made[part]);
    await writeToStdout(manifestJson({ apiVersion: 'v1', kind: 'List', items }));
  } else
    for (const part of parts)
      for (const [index, object] of made[part].entries())
        await writeToStdout(`${index === 0 ? `# ${HEADINGS[part]}\n` : ''}---\n${manifestYaml(object)}`);
  if (target === undefined)
    printNote('They belong to two API servers; print one part at a time with --for karmada or --for host.');
}
