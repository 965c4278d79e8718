// A test runner for Stryker: all tests of a room are one script, compiled once and run again for each change. Stryker's own for Jest loads
// hundreds of modules for each, which takes many times as long as the tests.
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { jestExpect } from '@jest/expect';
import * as circus from 'jest-circus';
import { ModuleMocker } from 'jest-mock';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { constants, Script } from 'node:vm';
import jestConfig from '../../jest.config.js';
import { roomScript } from './roomScript.mjs';

const require = createRequire(import.meta.url);

class RoomRunner {
  /** where the changed code reads which change is active, and counts itself */
  #changes = (globalThis.__stryker__ ??= {});
  #room;
  #isLeftOut;

  capabilities() {
    return { reloadEnvironment: true };
  }

  /** Stryker starts it in the directory with the changed code. */
  async init() {
    const { without = [], ...room } = JSON.parse(process.env.MUTATED_ROOM);
    this.#isLeftOut = (id) => without.some((beginning) => id.startsWith(beginning));
    const text = await roomScript(room);
    const script = new Script(`(function (require, module, exports) {${text}\n})`, {
      filename: resolve('room.cjs'),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    this.#room = script.runInThisContext();
  }

  /** Runs all tests without a change, and records which test reaches which changes. */
  async dryRun() {
    const mutantCoverage = (this.#changes.mutantCoverage = { static: {}, perTest: {} });
    try {
      const tests = await this.#run(() => true);
      writeFileSync(SLOW_TESTS, JSON.stringify(tests.filter(isSlow).map(({ id }) => id)));
      return { status: DryRunStatus.Complete, tests, mutantCoverage };
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error.stack ?? error) };
    } finally {
      delete this.#changes.mutantCoverage;
    }
  }

  /** Runs the tests that reach a change, slow ones last, until one of them fails. */
  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    Object.assign(this.#changes, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 });
    // processes started by tests run the changed code, too
    process.env[INSTRUMENTER_CONSTANTS.ACTIVE_MUTANT_ENV_VARIABLE] = activeMutant.id;
    const slow = new Set(JSON.parse(readFileSync(SLOW_TESTS, 'utf8')));
    const asked = testFilter ? new Set(testFilter) : undefined;
    const tests = [];
    const isUnnoticed = () => tests.every(({ status }) => status === TestStatus.Success);
    const isNext = (isLast) => (id) => isUnnoticed() && slow.has(id) === isLast && (asked?.has(id) ?? true);
    let result = { status: DryRunStatus.Complete, tests };
    try {
      await this.#run(isNext(false), tests);
      if (isUnnoticed() && [...slow].some((id) => asked?.has(id) ?? true))
        await this.#run(isNext(true), tests);
    } catch (error) {
      // before there were tests: their imports fail
      result = { status: DryRunStatus.Error, errorMessage: String(error.stack ?? error) };
    }
    return toMutantRunResult(determineHitLimitReached(this.#changes.hitCount, hitLimit) ?? result);
  }

  /** Loads the room and runs the selected tests in order; adds to the results as they come. */
  async #run(chosen, results = []) {
    const listen = ({ name, test }) => {
      if (name === 'test_start') this.#changes.currentTestId = idOf(test);
      if (name !== 'test_done') return;
      delete this.#changes.currentTestId;
      results.push(resultOf(test));
    };
    circus.resetState();
    Object.assign(circus.getState(), {
      testTimeout: jestConfig.testTimeout,
      testNamePattern: { test: (id) => !this.#isLeftOut(id) && chosen(id) },
    });
    circus.addEventHandler(listen);
    try {
      const module = { exports: {} };
      this.#room((id) => (id === '@jest/globals' ? globals() : require(id)), module, module.exports);
      await module.exports.ready;
      await circus.run();
    } finally {
      circus.removeEventHandler(listen);
    }
    return results;
  }
}

/** What tests import of @jest/globals. */
function globals() {
  const mocks = new ModuleMocker(globalThis);
  const jest = {
    fn: mocks.fn.bind(mocks),
    spyOn: mocks.spyOn.bind(mocks),
    restoreAllMocks: mocks.restoreAllMocks.bind(mocks),
  };
  return { ...circus, expect: jestExpect, jest };
}

/** Named as in Jest: with the names of the surrounding describes. */
function idOf({ name, parent }) {
  const names = [name];
  for (let at = parent; at?.parent; at = at.parent) names.unshift(at.name);
  return names.join(' ');
}

/** where the results of the first run are kept for later processes */
const SLOW_TESTS = 'slow-tests.json';

function isSlow({ timeSpentMs }) {
  return timeSpentMs > 100;
}

function resultOf(test) {
  const id = idOf(test);
  const [error] = test.errors.flat().filter((part) => part);
  const reported = { id, name: id, timeSpentMs: test.duration ?? 0 };
  return test.errors.length === 0
    ? { ...reported, status: TestStatus.Success }
    : { ...reported, status: TestStatus.Failed, failureMessage: String(error?.message ?? error) };
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'room', RoomRunner)];
