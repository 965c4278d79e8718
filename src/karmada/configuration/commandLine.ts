import type { Component } from '../dialects/flags.ts';

/** How a component was started: its flags in order, as text, and the object that shows them. */
export interface CommandLine {
  component: Component;
  flags: { name: string; value: string }[];
  /** "Deployment karmada-system/karmada-controller-manager" */
  source: string;
  /** the names of flags whose values the state does not show; absent: none */
  unread?: string[];
}

/**
 * The flags among a program's arguments: "--name=value", "--name value", and a bare "--name", which means true. Skips
 * all other arguments.
 */
export function parseArguments(args: readonly string[]): { name: string; value: string }[] {
  const flags: { name: string; value: string }[] = [];
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--([A-Za-z0-9][\w.-]*)(?:=([\s\S]*))?$/.exec(args[i]!) ?? [];
    if (name === undefined) continue;
    const next = args[i + 1];
    if (value !== undefined) flags.push({ name, value });
    else if (next !== undefined && !next.startsWith('-')) {
      flags.push({ name, value: next });
      i++;
    } else flags.push({ name, value: 'true' });
  }
  return flags;
}

/** The values that a command line gives a flag, in order. */
export function valuesOf(line: CommandLine | undefined, name: string): string[] {
  return line?.flags.filter((flag) => flag.name === name).map(({ value }) => value) ?? [];
}

/** The list that a command line gives a flag: pflag appends repeated values (StringSlice). Undefined if not set. */
export function listOf(line: CommandLine | undefined, name: string): string | undefined {
  const values = valuesOf(line, name);
  return values.length === 0 ? undefined : values.join(',');
}

/** Parses "A=true,B=false" into gates and their values. */
export function parseFeatureGates(text: string): { name: string; value: string }[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('=');
      return at === -1
        ? { name: entry, value: '' }
        : { name: entry.slice(0, at).trim(), value: entry.slice(at + 1).trim() };
    });
}
