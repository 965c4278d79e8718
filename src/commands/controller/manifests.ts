import { BaseCommand } from '../../cli/baseCommand.ts';
import { connectionFlags } from '../../cli/connectionFlags.ts';
import { settingFlags } from '../../cli/controller/runFlags.ts';
import { Flags } from '../../cli/oclif/oclif.ts';

const many = { multiple: true, multipleNonGreedy: true } as const;

export default class ControllerManifests extends BaseCommand {
  static override summary =
    'Print what controller run needs: rights, a Deployment, a Service, alerts, and the fields of designs in CRDs.';

  static override description = [
    'Some of it is for the Karmada API server (rights by least privilege; with the proposal the CRDs that are there, with its',
    'fields added), the rest for the cluster that Karmada runs in (two replicas with probes, their configuration, a Service,',
    'a disruption budget, rules for Prometheus). The settings are those of controller run.',
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
      summary: 'CRDs to add the fields of designs to; default: read them from the control plane',
      helpValue: 'FILE',
      ...many,
    }),
    namespace: Flags.string({
      char: 'n',
      summary: 'namespace of the Deployment and of the account; default karmada-system',
      helpValue: 'NAMESPACE',
    }),
    image: Flags.string({
      summary: "image of the controllers, built from the project's Dockerfile; needed unless --for karmada",
      helpValue: 'IMAGE',
    }),
    'image-digest': Flags.string({
      summary: 'digest that the image must have, as docker push prints it; the nodes take no other',
      helpValue: 'sha256:DIGEST',
    }),
    replicas: Flags.string({ summary: 'how many processes; default 2', helpValue: 'COUNT' }),
    'kubeconfig-secret': Flags.string({
      summary:
        'Secret with the kubeconfig for the Karmada API server; default karmada-failover-controller-kubeconfig',
      helpValue: 'NAME',
    }),
    'tls-secret': Flags.string({
      summary:
        'Secret of the type kubernetes.io/tls to serve health and metrics with; without it nobody outside of the Pod gets the metrics, and there are no Service and no alerts',
      helpValue: 'NAME',
    }),
    config: Flags.string({
      summary: 'file of settings, YAML or JSON, by the names of the flags; flags take precedence',
      helpValue: 'FILE',
    }),
    ...settingFlags,
    assume: Flags.string({
      summary: "how Karmada's own controller manager is started; also for controller run",
      helpValue: 'NAME=VALUE',
      ...many,
    }),
    output: Flags.string({ char: 'o', summary: 'yaml or json; default yaml', helpValue: 'FORMAT' }),
    ...connectionFlags,
  };

  async run(): Promise<number> {
    const { flags } = await this.parse(ControllerManifests);
    const { printManifests } = await import('../../cli/controller/printManifests.ts');
    return printManifests(flags);
  }
}
