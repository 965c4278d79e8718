import { isObject } from '../kubernetes/json.ts';
import { rfc3339 } from '../kubernetes/time.ts';
import { contradictions } from './world/contradictions.ts';
import { ForeignTextError, StateError } from './errors.ts';
import {
  inputFiles,
  isRereadable,
  expectedState,
  type InputFile,
  type ExpectedInput,
} from './input/files.ts';
import type { Chunks } from './input/textEncoding.ts';
import { inputTexts } from './input/texts.ts';
import type { InputText } from './input/texts.ts';
import { readWholeJson } from './json/wholeJson.ts';
import { holdsBindings } from './largeHeap.ts';
import { ListAssembler } from './world/listAssembler.ts';
import { observeComponents, type ObservedComponents } from './componentFlags.ts';
import type { LoadedState, LoadOptions, NewestTimestamp, Origin, StateSource } from './source.ts';
import type { RecordedMoment } from './recording/recordedWorld.ts';
import type { SnapshotFacts } from './snapshot/snapshotHeader.ts';
import { nameOf } from './world/validateObject.ts';
import { WorldBuilder } from './world/worldBuilder.ts';
import { appendAll } from '../kubernetes/longLists.ts';

/** JSON up to this size is parsed at once. */
const SMALL_JSON = 8 * 1024 * 1024;
/** YAML has to fit into memory as a whole. */
const LARGEST_YAML = 512 * 1024 * 1024;
/** Every object begins with one of these, whichever program wrote it. */
const KUBERNETES_YAML = /^[ -]*["']?(?:apiVersion|kind|items|metadata)["']?[ \t]*:|^[ -]*\{/m;
/** The most warnings about single objects: more would not help. */
const MAX_WARNINGS = 100;
const FAR_ENOUGH_TO_KNOW = 64 * 1024;

/** What to read, and the current time. */
interface Inputs {
  paths: readonly string[];
  stdin: () => Chunks;
  wanted: ExpectedInput;
  /** stdin and pipes can be read only once */
  isRereadable: boolean;
  /** epoch milliseconds; later times are in the future */
  present: number;
}

interface Snapshot {
  file: string;
  header: Record<string, unknown>;
}

/**
 * A state from the output of `kubectl get … -o json|yaml`: in files, directories (recursively, in name order), gzip
 * and tar archives, or stdin ("-").
 */
export function stateFromFiles(
  paths: readonly string[],
  stdin: () => Chunks = processStdin,
  clock: () => number = Date.now,
  wanted = expectedState,
): StateSource {
  return {
    async load(options = {}) {
      const inputs = { paths, stdin, wanted, present: clock(), isRereadable: paths.every(isRereadable) };
      const state = await loadOnce(inputs, inputs.isRereadable ? options : withoutKinds(options));
      // The controllers of a saved simulation need all kinds to continue.
      return state.world.simulation && options.kinds && inputs.isRereadable
        ? loadOnce(inputs, withoutKinds(options))
        : state;
    },
  };
}

function withoutKinds({ kinds: _, ...options }: LoadOptions): LoadOptions {
  return options;
}

async function loadOnce(inputs: Inputs, options: LoadOptions): Promise<LoadedState> {
  const readWhole: string[] = [];
  try {
    return await load(inputs, options, inputs.isRereadable ? readWhole : undefined);
  } catch (error) {
    if (readWhole.length === 0) throw error;
    // rereads it piece by piece to find the line of the error
    return load(inputs, options);
  }
}

function processStdin(): Chunks {
  if (process.stdin.isTTY)
    throw new StateError('stdin (-) is a terminal; pipe the state in, as in: kubectl get … -o json | …');
  return process.stdin;
}

/** @param readWhole if given, small JSON is parsed at once, and the names of such texts are added to it */
async function load(
  { paths, stdin, wanted, present }: Inputs,
  options: LoadOptions,
  readWhole?: string[],
): Promise<LoadedState> {
  const warnings: string[] = [];
  let unsaid = 0;
  const warn = (warning: string) => void (warnings.length < MAX_WARNINGS ? warnings.push(warning) : unsaid++);
  const builder = new WorldBuilder(options.kinds, present, warn);
  const origins: Origin[] = [];
  let snapshot: Snapshot | undefined;
  let moment: RecordedMoment | undefined;
  /** files with recordings, and whether they were not named but found beside named ones */
  const recordings = new Map<InputFile, boolean>();
  const onSnapshot = (file: string) => (header: Record<string, unknown>) => {
    if (snapshot)
      throw new StateError(`${file} and ${snapshot.file} are two snapshots; give one: a state has one time`);
    snapshot = { file, header };
  };
  const foreign: ForeignTextError[] = [];
  const files = inputFiles(paths, stdin, wanted);
  if (files.length === 0) throw new StateError('no state given; name a file, a directory or - for stdin');
  let totalBytes = files.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  let bytes = 0;
  for (const file of files) {
    async function* reported(): AsyncGenerator<Buffer> {
      for await (const chunk of file.chunks()) {
        bytes += chunk.length;
        options.progress?.({ reading: file.name, bytes, totalBytes, objects: builder.objects });
        yield chunk;
      }
    }
    const read = inputTexts(reported(), file.name, wanted);
    for await (const text of file.found ? unlessForeign(read, foreign) : read) {
      if (text.format === 'recording') {
        const { RecordedMoment, earlierFiles } = await import('./recording/recordedWorld.ts');
        moment ??= new RecordedMoment(options.at);
        const isFound = recordings.get(file) ?? false;
        await moment.add(text, isFound);
        recordings.set(file, isFound);
        if (isFound || file.size === undefined || text.name !== file.name) continue;
        const earlier = await earlierFiles(file, files);
        // the loop also reaches these
        files.push(...earlier);
        for (const one of earlier) recordings.set(one, true);
        if (totalBytes !== undefined) for (const { size = 0 } of earlier) totalBytes += size;
        continue;
      }
      const before = builder.objects;
      const isAmongOthers = file.found || text.name !== file.name;
      const sink = new ListAssembler(
        text.name,
        (object, line, at) => {
          if (isAmongOthers && isForeign(object))
            throw new ForeignTextError(`${text.name}:${line}: not a Kubernetes object; ${wanted.ifOther}`);
          builder.add(object, { file: text.name, line, at });
        },
        warn,
        onSnapshot(text.name),
      );
      try {
        await readText(text, sink, wanted, readWhole);
      } catch (error) {
        if (!isAmongOthers || !(error instanceof ForeignTextError)) throw error;
        foreign.push(error);
        continue;
      }
      origins.push({ name: text.name, objects: builder.objects - before });
    }
  }
  const recorded = moment?.world();
  const recordingFiles = [...recordings].filter(([, isFound]) => !isFound).map(([file]) => file);
  const isPiped = recordingFiles.some(({ size }) => size === undefined);
  if (recorded) {
    const before = builder.objects;
    for (const object of recorded.objects) builder.add(object, { file: recorded.shown, line: 0 });
    origins.push({ name: recorded.shown, objects: builder.objects - before });
  }
  const [firstForeign] = foreign;
  if (firstForeign && origins.length === 0) throw firstForeign;
  if (firstForeign) warnings.push(leftOut(foreign));
  if (unsaid > 0) warnings.push(`${unsaid} more warnings of this kind`);
  const { world } = builder;
  holdsBindings(world.bindings.length);
  if (world.clusters.length === 0)
    warnings.push('the state has no Cluster (cluster.karmada.io); was it read from the Karmada API server?');
  if (snapshot && recorded)
    throw new StateError(
      `${snapshot.file} is a snapshot and ${recorded.shown} a recording; give one: a state has one time`,
    );
  const facts = snapshot ? await factsOf(snapshot) : recorded?.facts;
  // a snapshot keeps only parts of the objects that its header describes
  const described = new Set(facts?.components.commandLines.map(({ source }) => source));
  const observed = observeComponents(
    builder.components.filter((one) => !described.has(nameOf(one))),
    (namespace, name) =>
      world.others.find(
        ({ kind, metadata }) =>
          kind === 'ConfigMap' && metadata.name === name && metadata.namespace === namespace,
      ),
  );
  const whole = {
    ...world,
    ...(facts?.unread ? { unread: facts.unread } : {}),
    ...(facts?.simulation ? { simulation: facts.simulation } : {}),
  };
  if (facts?.simulation) {
    const { problemOfSaved } = await import('./savedSimulation/savedSimulation.ts');
    const stranger = problemOfSaved(whole);
    if (stranger !== undefined)
      throw new StateError(`${snapshot!.file}: Snapshot: ${stranger}; simulate and save it again`);
  } else {
    // a saved simulation has its own time, and is complete
    appendAll(warnings, contradictions(world, options.kinds));
    if (builder.newest && builder.newestToCome) warnings.push(toCome(builder.newestToCome));
  }
  return {
    world: whole,
    origins,
    captured: facts?.captured,
    read: { time: present, source: 'the clock of this machine' },
    ...(recorded && {
      recorded: {
        ...recorded.recorded,
        ...(isPiped ? {} : { paths: recordingFiles.map(({ name }) => name) }),
      },
    }),
    newestTimestamp: facts?.newestTimestamp ?? builder.newest ?? builder.newestToCome,
    components: facts ? together(facts.components, observed) : observed,
    detected: facts?.detected,
    assumed: facts?.assumed,
    warnings: [...(facts?.warnings ?? []), ...(recorded?.warnings ?? []), ...warnings],
  };
}

/** The texts of a file, until one turns out to hold no Kubernetes objects. */
async function* unlessForeign(
  read: AsyncGenerator<InputText>,
  foreign: ForeignTextError[],
): AsyncGenerator<InputText> {
  try {
    yield* read;
  } catch (error) {
    if (!(error instanceof ForeignTextError)) throw error;
    foreign.push(error);
  }
}

/** Whether a document has none of an object's fields. */
function isForeign(value: unknown): boolean {
  return !isObject(value) || (value.apiVersion === undefined && value.kind === undefined);
}

const MAX_NAMED = 3;

/** "2 files hold no Kubernetes objects and are left out: a/README.yaml, b.json" */
function leftOut(foreign: readonly ForeignTextError[]): string {
  const names = foreign.map(({ message }) => message.slice(0, /:(?:\d+:)? /.exec(message)?.index));
  const more = names.length - MAX_NAMED;
  const listed = names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return names.length === 1
    ? `1 file holds no Kubernetes object and is left out: ${listed}`
    : `${names.length} files hold no Kubernetes objects and are left out: ${listed}`;
}

/** The facts in the header of a snapshot. Most states are not snapshots, so the checker is loaded only here. */
async function factsOf({ file, header }: Snapshot): Promise<SnapshotFacts> {
  const { readSnapshotHeader } = await import('./snapshot/snapshotHeader.ts');
  const facts = readSnapshotHeader(header);
  if ('problem' in facts) throw new StateError(`${file}: ${facts.problem}`);
  return facts;
}

/** The warning about a time in the future. Not for a state with only such times: then the local clock is wrong. */
function toCome({ time, object: { kind, namespace, name } }: NewestTimestamp): string {
  const object = `${kind} ${namespace ? `${namespace}/` : ''}${name}`;
  return `${object} has the time ${rfc3339(time)}, which is in the future by this machine's clock; ages and deadlines based on it are wrong`;
}

/** A snapshot's facts about the components, combined with those of other files. */
function together(first: ObservedComponents, second: ObservedComponents): ObservedComponents {
  const ofOthers = <Fact extends { component: string }>(facts: Fact[], more: Fact[]) => [
    ...facts,
    ...more.filter(({ component }) => !facts.some((one) => one.component === component)),
  ];
  return {
    commandLines: ofOthers(first.commandLines, second.commandLines),
    versions: ofOthers(first.versions, second.versions),
    warnings: [...new Set([...first.warnings, ...second.warnings])],
  };
}

async function readText(
  text: InputText,
  sink: ListAssembler,
  wanted: ExpectedInput,
  readWhole: string[] | undefined,
): Promise<void> {
  const { name, chunks, line } = text;
  if (text.format !== 'json') return readYamlChunks(chunks, name, line, sink, wanted, false);
  const left = readWhole ? await unlessWhole(text, sink, readWhole) : text;
  const rest = left && (await readJson(left, sink));
  if (rest) await readYamlChunks(rest.chunks, name, rest.line, sink, wanted, true);
}

/** Passes a small text to the sink if it is one JSON document; otherwise returns the text, unread. */
async function unlessWhole(
  text: InputText,
  sink: ListAssembler,
  readWhole: string[],
): Promise<InputText | undefined> {
  const start: Buffer[] = [];
  let length = 0;
  let ended = false;
  while (!ended && length <= SMALL_JSON) {
    const { value, done } = await text.chunks.next();
    if (done) ended = true;
    else {
      start.push(value);
      length += value.length;
    }
  }
  if (ended) {
    readWhole.push(text.name);
    if (readWholeJson(Buffer.concat(start, length), sink)) return undefined;
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield* start;
    if (!ended) yield* text.chunks;
  }
  return { ...text, chunks: rest() };
}

/** Reads JSON documents. Returns the rest if YAML follows them after a line "---". */
async function readJson(
  { name, line, chunks }: InputText,
  sink: ListAssembler,
): Promise<{ chunks: AsyncGenerator<Buffer>; line: number } | undefined> {
  const { JsonStream } = await import('./json/jsonStream.ts');
  const stream = new JsonStream(name, line, sink);
  for await (const chunk of manually(chunks)) {
    const other = stream.write(chunk);
    if (other !== undefined) {
      async function* rest(): AsyncGenerator<Buffer> {
        yield other!;
        yield* chunks;
      }
      return { chunks: rest(), line: stream.line };
    }
  }
  stream.end();
  return undefined;
}

/** Yields the chunks; a loop over them may stop early without closing the generator. */
async function* manually(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return;
    yield value;
  }
}

async function readYamlChunks(
  chunks: AsyncIterable<Buffer>,
  name: string,
  line: number,
  sink: ListAssembler,
  { ifOther }: ExpectedInput,
  mayBeEmpty: boolean,
): Promise<void> {
  const kept: Buffer[] = [];
  let length = 0;
  let isKubernetes = false;
  const checkStart = (isWhole: boolean) => {
    const start = Buffer.concat(kept).toString('latin1', 0, FAR_ENOUGH_TO_KNOW);
    if (KUBERNETES_YAML.test(start)) return true;
    if (isWhole && isOnlyComments(start)) {
      if (mayBeEmpty) return false;
      throw new ForeignTextError(`${name}: holds comments and no object; ${ifOther}`);
    }
    throw new ForeignTextError(
      `${name}: not a Kubernetes object: it begins with neither apiVersion nor kind; ${ifOther}`,
    );
  };
  for await (const chunk of chunks) {
    kept.push(chunk);
    length += chunk.length;
    if (!isKubernetes && length >= FAR_ENOUGH_TO_KNOW) isKubernetes = checkStart(false);
    if (length > LARGEST_YAML)
      throw new StateError(
        `${name}: more than 512 MiB of YAML; print the state as JSON (kubectl get -o json), which is read in pieces`,
      );
  }
  if (!isKubernetes && !checkStart(true)) return;
  const [{ readYaml }, { withoutProse }] = await Promise.all([
    import('./yaml/yamlText.ts'),
    import('./yaml/fencedBlocks.ts'),
  ]);
  const whole = kept.length === 1 ? kept[0]! : Buffer.concat(kept, length);
  await readYaml(withoutProse(whole), name, line, sink);
}

function isOnlyComments(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#|---|\.\.\.|$)/.test(line));
}
