import type { World } from '../engine/world.ts';
import type { Configuration } from '../karmada/configuration.ts';
import { resolveConfiguration } from '../karmada/resolveConfiguration.ts';
import { stateFromFiles } from '../state/fileSource.ts';
import type { LoadedState } from '../state/source.ts';
import type { ScenarioFile } from '../state/scenarioFile.ts';
import type { AnsweredAssumption } from '../views/assumptions.ts';
import { assumptionsFromFlags, assumptionsFromScenario } from './assumptions.ts';
import { chooseDialect } from './dialect.ts';
import { startProgress } from './progress.ts';
import { instantOfState } from './time.ts';

export interface StateFlags {
  state: string[];
  at?: string | undefined;
  assume?: string[] | undefined;
  'karmada-version'?: string | undefined;
}

/** A control plane as a command looks at it: the world, the instant, and how Karmada was started. */
export interface OpenedState {
  world: World;
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  karmadaVersion: string;
  /** the instant, the version, then every gate and flag */
  assumptions: AnsweredAssumption[];
}

/** A scenario file, whose assumptions and start count where flags say nothing else. */
export interface OpenedScenario {
  path: string;
  file: ScenarioFile;
}

/** Kinds of objects that a command does not look at need not be kept. */
export async function openState(
  flags: StateFlags,
  kinds?: ReadonlySet<string>,
  scenario?: OpenedScenario,
): Promise<OpenedState> {
  const state = await loadState(flags.state, kinds);
  const { dialect, assumption: version } = chooseDialect(flags['karmada-version'], state.components);
  const given = [
    ...(scenario ? assumptionsFromScenario(scenario.file.assume, scenario.path, dialect) : []),
    ...assumptionsFromFlags(flags.assume ?? [], dialect),
  ];
  const { configuration, values, warnings } = resolveConfiguration(
    dialect,
    state.components.commandLines,
    given,
  );
  for (const warning of [...state.warnings, ...state.components.warnings, ...warnings])
    process.stderr.write(`warning: ${warning}\n`);
  const { now, assumption: instant } = instantOfState(flags.at, state.newestTimestamp, scenario?.file.start);
  return {
    world: state.world,
    now,
    configuration,
    karmadaVersion: dialect.version,
    assumptions: [instant, version, ...values],
  };
}

async function loadState(paths: string[], kinds: ReadonlySet<string> | undefined): Promise<LoadedState> {
  const progress = startProgress(process.stderr);
  try {
    return await stateFromFiles(paths).load({
      ...(kinds ? { kinds } : {}),
      progress: ({ reading, bytes, totalBytes }) => progress.report(`reading ${reading}`, bytes, totalBytes),
    });
  } finally {
    progress.done();
  }
}
