// The manifest from which krew installs the program. Krew links one name; completion needs the other one, which `completion kubectl`
// prints.
import { stringify } from 'yaml';

/** @param archives of each platform: os, arch, executable, file name and sha256 */
export function krewManifest({ version, homepage, description }, archives) {
  return stringify(
    {
      apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
      kind: 'Plugin',
      metadata: { name: 'karmada-failover' },
      spec: {
        version: `v${version}`,
        homepage,
        shortDescription: 'Plan drains of Karmada clusters, explain failover',
        description: `${description}.\n`,
        caveats:
          'Completion of its commands, flags and names needs a second file on the PATH:\n' +
          '  kubectl karmada-failover completion kubectl --help\n',
        platforms: archives.map(({ os, arch, executable, file, sha256 }) => ({
          selector: { matchLabels: { os, arch } },
          uri: `${homepage}/releases/download/v${version}/${file}`,
          sha256,
          bin: executable,
          files: [
            { from: executable, to: '.' },
            { from: 'LICENSE', to: '.' },
            { from: 'THIRD-PARTY', to: '.' },
          ],
        })),
      },
    },
    { lineWidth: 0 },
  );
}
