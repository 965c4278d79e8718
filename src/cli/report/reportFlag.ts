import * as Flags from '@oclif/core/flags';
import { UserError } from '../errors.ts';
import { presentable } from '../../presentation/presentable.ts';

/** The formats of -o for other tools: a Mermaid Gantt diagram, a Graphviz graph, a Perfetto trace. */
export const EXPORTS = ['mermaid', 'dot', 'perfetto'] as const;

/** Where to write a page: a flag with a file name. */
export function pageFlag(name: string, more: { summary: string; required?: boolean }) {
  return Flags.string({
    ...more,
    helpValue: 'FILE.html',
    parse: (file) => {
      if (file === '' || file === '-')
        return Promise.reject(
          new UserError(`${name} ${file || '""'}: name a file; the answer goes to stdout`),
        );
      return Promise.resolve(file);
    },
  });
}

/** Where to write a report besides an answer. */
export const reportFlag = pageFlag('--report', {
  summary: 'also write an HTML report: one file, needs no network (docs/reports.md)',
});

/**
 * Writes a page atomically, readable only by its owner. Prints its location, and whether a file was replaced. Rejects
 * with a StateError if the file cannot be written.
 */
export async function writeReport(file: string, page: Iterable<string>): Promise<void> {
  const [{ writeSafeFile }, { writeToStdout }, { noteReplaced }, { printNote }] = await Promise.all([
    import('../../state/output/safeFile.ts'),
    import('../../terminal/stdout.ts'),
    import('../noteReplaced.ts'),
    import('../../terminal/messages.ts'),
  ]);
  const options = { name: `report ${file}`, toStdout: writeToStdout, holdsState: true };
  if (await writeSafeFile(file, page, options)) noteReplaced(file);
  printNote(`Report written to ${presentable(file)}`);
}
