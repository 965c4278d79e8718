import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The options of a command of this repository. With --help it prints its usage and exits; with unknown options, too, as an error. */
export function commandOptions<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), usage);
  }
}

/** The number of an option, 0 or above. Exits with an error for other values: NaN inputs would pass as no inputs. */
export function wholeNumber(usage: string, name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    refuse(`--${name} ${JSON.stringify(text)} is not a whole number`, usage);
  return value;
}

/** Exits with what is wrong with the command line, and its possible values. */
export function refuse(why: string, usage: string): never {
  console.error(`${why}\n${usage}`);
  process.exit(2);
}
