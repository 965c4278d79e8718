import * as Flags from '@oclif/core/flags';
import { connectionFlags } from '../connectionFlags.ts';
import { loggingFlags, printedFlags, settingFlags } from '../controller/runFlags.ts';
import { auditFlags, liveFlags, stateFlags } from '../flags.ts';

const auditedFlags = {
  ...auditFlags,
  top: Flags.string({
    summary: 'how many of the worst workloads get a metric each; default: 20',
    helpValue: 'K',
  }),
};

export const exporterRunFlags = {
  ...auditedFlags,
  every: Flags.string({
    summary: 'minimum time between audits; default: 30s',
    helpValue: 'DURATION',
  }),
  'bind-address': Flags.string({
    helpGroup: 'SERVING',
    summary:
      'address of /, /api/audit, /metrics, /healthz and /readyz; default :10359; without TLS all but health is only for this machine',
    helpValue: 'ADDRESS',
  }),
  'tls-cert-file': settingFlags['tls-cert-file'],
  'tls-private-key-file': settingFlags['tls-private-key-file'],
  'authentication-kubeconfig': settingFlags['authentication-kubeconfig'],
  'logging-format': loggingFlags['logging-format'],
  'karmada-version': stateFlags['karmada-version'],
  assume: stateFlags.assume,
  ...liveFlags,
};

export const exporterManifestsFlags = {
  for: printedFlags.for,
  namespace: printedFlags.namespace,
  image: Flags.string({
    summary: "image, built from the project's Dockerfile; not needed with --for karmada",
    helpValue: 'IMAGE',
  }),
  'image-digest': printedFlags['image-digest'],
  'kubeconfig-secret': Flags.string({
    summary:
      'Secret with the kubeconfig for the Karmada API server; default: karmada-failover-exporter-kubeconfig',
    helpValue: 'NAME',
  }),
  'tls-secret': Flags.string({
    summary:
      'Secret of the type kubernetes.io/tls to serve with, with the ca.crt that Prometheus trusts; default: karmada-failover-exporter-tls',
    helpValue: 'NAME',
  }),
  ...auditedFlags,
  output: printedFlags.output,
  v: connectionFlags.v,
};
