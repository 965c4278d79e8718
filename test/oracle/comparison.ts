// Runs the inputs of one suite through the oracle and the engine.
import { runSuite } from '../conformance/compare.ts';
import type { ConformanceCase, Suite } from '../conformance/suite.ts';
import { loadSuite } from '../conformance/suites.ts';
import type { Oracle, Reply } from './oracle.ts';

/** how often Karmada is asked again if it may have walked a map in another order */
const RUNS_WHEN_DIFFERENT = 60;

export type Verdict =
  | { kind: 'agrees' }
  /** no API server would store the input */
  | { kind: 'refused'; why: string }
  /** Karmada's code panics or does not return */
  | { kind: 'crashes'; why: string }
  | Differing;

export interface Differing {
  kind: 'differs';
  recorded: ConformanceCase;
  expected: unknown;
  actual: unknown;
}

export class Comparison {
  readonly #oracle: Oracle;
  readonly #version: string;
  readonly #suiteName: string;
  readonly #suite: Suite;

  private constructor(oracle: Oracle, version: string, suiteName: string, suite: Suite) {
    this.#oracle = oracle;
    this.#version = version;
    this.#suiteName = suiteName;
    this.#suite = suite;
  }

  static async of(oracle: Oracle, version: string, suiteName: string): Promise<Comparison> {
    return new Comparison(oracle, version, suiteName, await loadSuite(suiteName));
  }

  /** The outcome of each input, in order. */
  async compare(inputs: unknown[]): Promise<Verdict[]> {
    const verdicts = await this.#once(inputs, 1);
    const different = inputs.filter((_, index) => verdicts[index]!.kind === 'differs');
    if (different.length === 0) return verdicts;
    const again = await this.#once(different, RUNS_WHEN_DIFFERENT);
    return verdicts.map((verdict) => (verdict.kind === 'differs' ? again.shift()! : verdict));
  }

  /** The first of the inputs that differs and passes, -1 if none does. */
  async firstDifferent(inputs: unknown[], passes: (differing: Differing) => boolean): Promise<number> {
    const verdicts = await this.#once(inputs, 1);
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict.kind !== 'differs') continue;
      const [confirmed] = await this.#once([inputs[index]], RUNS_WHEN_DIFFERENT);
      if (confirmed?.kind === 'differs' && passes(confirmed)) return index;
    }
    return -1;
  }

  async #once(inputs: unknown[], runs: number): Promise<Verdict[]> {
    const replies = await this.#oracle.ask(inputs.map((input) => ({ suite: this.#suiteName, input, runs })));
    return replies.map((reply, index) => this.#judge(inputs[index], reply));
  }

  #judge(input: unknown, reply: Reply): Verdict {
    if (reply.refused !== undefined) return { kind: 'refused', why: reply.refused };
    if (reply.crash !== undefined) return { kind: 'crashes', why: reply.crash };
    // any result of a map's order is correct
    const { anyOf, ...shared } = (reply.expected ?? {}) as { anyOf?: object[] };
    const verdicts = (anyOf ?? [{}]).map((one) => this.#hold(reply.input ?? input, { ...shared, ...one }));
    return verdicts.find(({ kind }) => kind === 'agrees') ?? verdicts[0]!;
  }

  #hold(input: unknown, expected: Record<string, unknown>): Verdict {
    const recorded = {
      id: '',
      suite: this.#suiteName,
      karmadaVersion: this.#version,
      input: input as never,
      expected,
    };
    const [failure] = runSuite(this.#suite, [recorded]).failures;
    return failure
      ? { kind: 'differs', recorded, expected: failure.expected, actual: failure.actual }
      : { kind: 'agrees' };
  }
}
