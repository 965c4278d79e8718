import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Args, Flags, Command, optional } from '../../../src/cli/oclif/oclif.ts';
import { Config } from '@oclif/core/config';
import { CommandHelp } from '@oclif/core/help';
import { run } from '@oclif/core/run';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../oclif.manifest.json' with { type: 'json' };
import { embeddedPlugin } from '../../../src/cli/oclif/plugin.ts';
import { isSimple } from '../../../src/presentation/visible.ts';
import { root } from '../../commands/cli.ts';

/** What we replace or work around in oclif. After an upgrade, a failing test here shows what no longer fits. */

const lib = join(root, 'node_modules/@oclif/core/lib');
const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .map((file) => readFileSync(join(lib, file), 'utf8'));
const requires = (name: string) =>
  sources.some((text) => new RegExp(`(require|import)\\(['"]${name}['"]\\)`).test(text));

const { lazy, replaced } = (await import(join(root, 'scripts/leanOclif.mjs'))) as {
  lazy: Set<string>;
  replaced: Record<string, string>;
};

describe('the bundle omits', () => {
  test.each(Object.keys(replaced))('%s, which oclif still imports', (name) =>
    expect(requires(name)).toBe(true),
  );
  test.each([...lazy])('%s at startup, which oclif still imports there', (name) =>
    expect(requires(name)).toBe(true),
  );

  test('the template language, because templates only read values of the context', () => {
    const templates = JSON.stringify(manifest).match(/<%.*?%>/g) ?? [];
    expect(templates.length).toBeGreaterThan(0);
    for (const template of templates) expect(template).toMatch(/^<%= ?[\w.]+ ?%>$/);
  });

  test('character widths, because all our characters are one column wide', () => {
    expect(isSimple(JSON.stringify(manifest))).toBe(true);
  });

  test('no other dependency of oclif', () => {
    const { dependencies } = JSON.parse(
      readFileSync(join(root, 'node_modules/@oclif/core/package.json'), 'utf8'),
    ) as { dependencies: Record<string, string> };
    const bundled = ['ansis', 'clean-stack', 'indent-string', 'widest-line', 'wordwrap', 'wrap-ansi'];
    expect(Object.keys(dependencies).filter((name) => !(name in replaced))).toEqual(bundled);
  });
});

class Probe extends Command {
  static override args = { cluster: Args.string({ ...optional, multiple: true }) };
  static override flags = {
    wait: Flags.boolean({ allowNo: true }),
    state: Flags.string({ multiple: true, multipleNonGreedy: true }),
    until: Flags.string({
      parse: async (text) => {
        if (text === 'never') throw new Error('"never" is not a time');
        return text;
      },
    }),
  };

  async run() {
    const { args, flags } = await this.parse(Probe);
    return { ...args, ...flags };
  }
}

const fake = { bin: 'probe', runHook: async () => ({ successes: [], failures: [] }) };
const read = (...argv: string[]) => new Probe(argv, fake as never).run();
const failure = (...argv: string[]) => read(...argv).catch((error: unknown) => error);

describe('the parser of oclif', () => {
  test('takes one value for each occurrence of a repeatable flag', async () => {
    expect(await read('--state', 'a', 'frankfurt', '--state', 'b')).toMatchObject({
      state: ['a', 'b'],
      cluster: ['frankfurt'],
    });
  });

  test('parses no boolean values, which we therefore normalize first', async () => {
    expect(await read('--wait=false')).toEqual({ wait: true, cluster: ['false'] });
    expect(await read('--no-wait')).toMatchObject({ wait: false });
  });

  test('does not read stdin if arg.ignoreStdin is set', async () => {
    expect(sources.some((text) => text.includes('arg.ignoreStdin'))).toBe(true);
    expect(await read()).toEqual({});
  });

  test('reports unknown flags with the known flags', async () => {
    expect(await failure('--wiat')).toMatchObject({
      flags: ['--wiat'],
      parse: { input: { flags: { wait: {}, state: {} } } },
    });
  });

  test('adds lines before and after the error of a flag value', async () => {
    expect(await failure('--until', 'never')).toMatchObject({
      message: 'Parsing --until \n\t"never" is not a time\nSee more help with --help',
    });
  });
});

describe('a run of oclif', () => {
  const load = Config.load;
  let written: string[];
  beforeEach(() => {
    written = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  });
  afterEach(() => {
    Config.load = load;
    jest.restoreAllMocks();
    process.exitCode = undefined;
  });

  async function embedded(commands: Parameters<typeof embeddedPlugin>[1]): Promise<Config> {
    const plugin = embeddedPlugin(root, commands);
    const config = new Config({ root, plugins: new Map([[plugin.name, plugin]]) });
    await config.load();
    return config;
  }

  test('reads the configuration from Config.load, which returns the embedded one', async () => {
    const config = await embedded({ cordon: async () => ({ default: Probe }) });
    let asked = 0;
    Config.load = () => {
      asked++;
      return Promise.resolve(config);
    };
    expect(await run(['cordon', '--no-wait'], config)).toEqual({ wait: false });
    expect(asked).toBeGreaterThan(0);
  });

  test('finds commands in the manifest without reading the disk, and loads only the one that runs', async () => {
    const loaded: string[] = [];
    const config = await embedded(
      Object.fromEntries(
        Object.keys(manifest.commands).map((id) => [
          id,
          async () => {
            loaded.push(id);
            return { default: Probe };
          },
        ]),
      ),
    );
    Config.load = () => Promise.resolve(config);
    expect(config.commandIDs.sort()).toEqual(Object.keys(manifest.commands).sort());
    await run(['failover:status'], config);
    expect(loaded).toEqual(['failover:status']);
  });

  test('fails for an unknown command with its name', async () => {
    const config = await embedded({});
    Config.load = () => Promise.resolve(config);
    await expect(run(['fly'], config)).rejects.toThrow(/^command fly not found$/i);
  });

  test('searches the home directory for themes unless DISABLE_THEME is set', () => {
    expect(sources.some((text) => text.includes("scopedEnvVarTrue('DISABLE_THEME')"))).toBe(true);
  });
});

test('the help of oclif consists of sections and lists that we can reorder', () => {
  const methods = CommandHelp.prototype as unknown as Record<string, unknown>;
  expect([typeof methods['sections'], typeof methods['renderList']]).toEqual(['function', 'function']);
  class Bare extends CommandHelp {
    list(rows: [string, string][]): string {
      return this.renderList(rows, { indentation: 2, stripAnsi: true });
    }
  }
  const help = new Bare(
    { id: 'probe', flags: {}, args: {} } as never,
    {} as never,
    { maxWidth: 80, stripAnsi: true } as never,
  );
  // the margin of a first flag without a short form is lost: run.ts restores it
  expect(help.list([['    --state=PATH', 'files']])).toMatch(/^--state=PATH/);
});
