import { binaries, type Component } from '../../../../karmada/dialects/flags.ts';
import { parseVersion } from '../../../../karmada/dialects/release.ts';
import { isStale } from '../../../../karmada/objects/clusterReadiness.ts';
import { finding } from '../about.ts';
import { whyDown } from '../../../../simulator/verdicts/stoppedComponents.ts';
import { type Examined, runningObject } from '../examined.ts';
import { startWithout } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';

export const unknownFlag: StateCheck = {
  id: 'unknown-flag',
  severity: 'warning',
  theme: 'chain',
  title: 'a component has a flag, gate or value unknown to its version',
  help: 'A component exits at start with a flag, a gate or a value that it does not know. It ignores flags that its release still accepts without an effect. If the component runs, it has another version, or its Pod is older than the change. Failover flags changed between v1.14 and v1.18: see docs/dialects.md.',
  needs: ['Configuration'],
  symptoms: ['unknown flag: --failover-eviction-timeout', 'unrecognized feature gate', 'CrashLoopBackOff'],
  issues: [6951],
  find: (seen) =>
    seen.unknownFlags.map(({ component, source, text, stops, flag }) => {
      const own = { ...seen, commandLines: seen.commandLines.filter((one) => one.source === source) };
      const running = runningObject(component, own);
      const [object] = running;
      const down = stops && object ? whyDown(seen.object(object)) : undefined;
      return finding(
        running,
        `${source}: ${text}${down ? `: it ${down}` : ''}`,
        { rule: text, field: source },
        flag ? startWithout(component, flag.name, own) : 'correct the name or the value',
        down ? 'error' : undefined,
      );
    }),
};

/** That karmada-webhook has an older minor version than the component whose objects it labels; undefined otherwise. */
export function olderWebhook({ versions }: Examined): string | undefined {
  const of = (which: Component) => versions.find(({ component }) => component === which)?.version;
  const [webhook, manager] = [of('webhook'), of('controllerManager')];
  const [old, current] = [webhook, manager].map((one) => (one ? parseVersion(one) : undefined));
  return old && current && (old.major - current.major || old.minor - current.minor) < 0
    ? `karmada-webhook ${webhook} is older than karmada-controller-manager ${manager}`
    : undefined;
}

export const versionsDiffer: StateCheck = {
  id: 'versions-differ',
  severity: 'warning',
  theme: 'chain',
  title: 'components of different minor versions run together',
  help: 'Karmada tests its components with each other only in one minor version: one version may not know gates and fields of another. Run all with the same version.',
  needs: ['Deployment'],
  symptoms: ['strict decoding error: unknown field', 'a field of a binding disappears after it was written'],
  find: (seen) => {
    const minors = new Set(
      seen.versions.flatMap(({ version }) => {
        const parsed = parseVersion(version);
        return parsed ? [`v${parsed.major}.${parsed.minor}`] : [];
      }),
    );
    if (minors.size < 2) return [];
    const text = seen.versions
      .map(({ component, version }) => `${binaries[component]} ${version}`)
      .join(', ');
    return finding(
      seen.versions.flatMap(({ component }) => runningObject(component, seen)),
      `components of different versions run: ${text}`,
      seen.versions.map(({ version, source }) => ({
        rule: 'the tag of its image',
        field: source,
        value: version,
      })),
      'run all components with the same version',
    );
  },
};

export const versionUnknown: StateCheck = {
  id: 'version-unknown',
  severity: 'warning',
  theme: 'chain',
  title: 'the image of karmada-controller-manager has no version',
  help: 'Gates, flags and bugs depend on the patch release. An image without a version, such as :latest, can change at every restart. Use a tag with a version.',
  needs: ['Deployment'],
  symptoms: ['failover changes after a Pod was restarted'],
  find: (seen) => {
    const runsIt = seen.commandLines.find(({ component }) => component === 'controllerManager');
    if (!runsIt || seen.versions.some(({ component }) => component === 'controllerManager')) return [];
    return finding(
      runningObject('controllerManager', seen),
      `${runsIt.source}: its image has no version; answers follow ${seen.karmadaVersion}, which may be wrong`,
      { rule: 'the tag of the image is not a version', field: runsIt.source },
      `use an image with a version, and name it here with ${seen.names.version}`,
      seen.world.clusters.some(isStale) ? 'error' : undefined,
    );
  },
};
