import { BaseCommand } from '../../cli/baseCommand.ts';
import { connectionFlags } from '../../cli/connectionFlags.ts';
import { settingFlags } from '../../cli/controller/runFlags.ts';
import { Flags } from '../../cli/oclif/oclif.ts';

const many = { multiple: true, multipleNonGreedy: true } as const;

export default class ControllerManifests extends BaseCommand {
  static override summary =
    'Print what controller run needs: rights, a Deployment, a Service, alerts, and CRDs with the fields of the proposal.';

  static override description = [
    'For the Karmada API server it prints rights by least privilege, and with the proposal the existing CRDs with its',
    'fields added. For the cluster that runs Karmada it prints two replicas with probes and configuration, a Service,',
    'a disruption budget and rules for Prometheus. The settings are those of controller run.',
  ].join(' ');

  static override usage = 'controller manifests [--for karmada|host] [flags]';

  static override examples = [
    {
      description: 'The rights, on the Karmada API server',
      command: '<%= config.bin %> controller manifests --for karmada | kubectl --context karmada apply -f -',
    },
    {
      description: 'The Deployment, with settings',
      command:
        '<%= config.bin %> controller manifests --for host --config controller.yaml --image registry.example/karmada-failover:v1 | kubectl --context host apply -f -',
    },
    {
      description: "The proposal's fields in the CRDs of a control plane",
      command:
        '<%= config.bin %> controller manifests --for karmada --karmada-version proposal --karmada-context karmada',
    },
  ];

  static override flags = {
    for: Flags.string({ summary: 'print only this part', helpValue: 'karmada|host' }),
    filename: Flags.string({
      char: 'f',
      summary: 'CRDs to add the fields of the proposal to; default: those of the control plane',
      helpValue: 'FILE',
      ...many,
    }),
    namespace: Flags.string({
      char: 'n',
      summary: 'namespace of the Deployment and of the account; default: karmada-system',
      helpValue: 'NAMESPACE',
    }),
    image: Flags.string({
      summary: "image of the controllers, built from the project's Dockerfile; not needed with --for karmada",
      helpValue: 'IMAGE',
    }),
    'image-digest': Flags.string({
      summary: 'digest of the image, as docker push prints it; nodes accept no other',
      helpValue: 'sha256:DIGEST',
    }),
    replicas: Flags.string({ summary: 'number of replicas; default: 2', helpValue: 'COUNT' }),
    'kubeconfig-secret': Flags.string({
      summary:
        'Secret with the kubeconfig for the Karmada API server; default: karmada-failover-controller-kubeconfig',
      helpValue: 'NAME',
    }),
    'tls-secret': Flags.string({
      summary:
        'Secret of the type kubernetes.io/tls to serve health and metrics with; without it metrics stay in the Pod and there is no Service',
      helpValue: 'NAME',
    }),
    config: Flags.string({
      summary: 'file with settings (YAML or JSON, named as the flags); flags take precedence',
      helpValue: 'FILE',
    }),
    ...settingFlags,
    assume: Flags.string({
      summary: "a flag or gate of Karmada's own controller manager; also for controller run",
      helpValue: 'NAME=VALUE',
      ...many,
    }),
    output: Flags.string({ char: 'o', summary: 'yaml or json; default: yaml', helpValue: 'FORMAT' }),
    ...connectionFlags,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(ControllerManifests);
    const { printManifests } = await import('../../cli/controller/printManifests.ts');
    return printManifests(flags);
  }
}
