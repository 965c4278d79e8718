import manifest from '../../../oclif.manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };

/** What completion reads of a command: the part of oclif's manifest that says what may be typed. */
export interface ManifestCommand {
  id: string;
  summary?: string;
  hidden?: boolean;
  /** false: it takes more arguments than are named */
  strict?: boolean;
  args: Record<string, { name: string; description?: string; options?: string[]; multiple?: boolean }>;
  flags: Record<string, ManifestFlag>;
}

export interface ManifestFlag {
  name: string;
  char?: string;
  type: string;
  summary?: string;
  helpValue?: string;
  options?: string[];
  hidden?: boolean;
  allowNo?: boolean;
  multiple?: boolean;
  exclusive?: string[];
}

export const commands = Object.values(manifest.commands) as unknown as ManifestCommand[];

/** What the first words of commands are about. */
export const topics: Record<string, { description?: string }> = packageJson.oclif.topics;
