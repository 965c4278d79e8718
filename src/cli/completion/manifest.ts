import manifest from '../../../oclif.manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };

/** The part of a command in oclif's manifest that completion reads: what may be typed. */
export interface ManifestCommand {
  id: string;
  summary?: string;
  hidden?: boolean;
  /** false: it takes more arguments than it names */
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

/** The topics (first words of commands), with their descriptions. */
export const topics: Record<string, { description?: string }> = packageJson.oclif.topics;
