import { plainNames } from '../../src/karmada/configuration/inputNames.ts';
import type { Ports } from '../../src/useCases/ports.ts';
import { Problem, type ProblemData } from '../../src/useCases/problem.ts';

/** Ports that keep messages, and name inputs in plain words. */
export function quietPorts(): Ports & { warnings: string[]; notes: string[]; reports: string[] } {
  const warnings: string[] = [];
  const notes: string[] = [];
  const reports: string[] = [];
  return {
    warnings,
    notes,
    reports,
    warn: (message) => void warnings.push(message),
    note: (message) => void notes.push(message),
    startProgress: () => ({ report: (doing) => void reports.push(doing), done: () => undefined }),
    names: plainNames,
  };
}

/** The data of the Problem that is thrown; fails otherwise. */
export async function problemOf(work: () => unknown): Promise<ProblemData> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) return error.data;
    throw error;
  }
  throw new Error('it ended without a Problem');
}
