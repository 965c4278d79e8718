import { type Shard, turnsIn } from '../../analysis/audit/auditPart.ts';
import type { TallyState } from '../../analysis/audit/tally.ts';
import { TROUBLES } from '../../analysis/audit/trouble.ts';
import { isObject } from '../../kubernetes/json.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import type { AuditedFailover } from '../../useCases/audit/auditFailover.ts';
import { UserError } from '../errors.ts';
import { EXIT_NOT_FINISHED, EXIT_OK } from '../exitCodes.ts';
import { parseNamed, readNamed } from '../scenario/namedFiles.ts';

const KIND = 'FailoverAuditShard';

/** The shard of `--shard 3/8`; throws a UserError for anything else. */
export function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  if (index === undefined || Number(index) >= Number(of))
    throw new UserError(`--shard "${text}" is not I/N, with I from 0 to N - 1, such as 0/8`);
  return { index: Number(index), of: Number(of) };
}

/** Throws a UserError for flags that need the whole answer: a gate on one shard would ignore the others. */
export function withWholeOnly(shard: string, flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(flags).filter((flag) => flags[flag] !== undefined);
  if (given.length > 0)
    throw new UserError(
      `--shard ${shard}: prints a part for --merge, and excludes ${given.join(' and ')}; give ${given.length > 1 ? 'them' : 'it'} with --merge`,
    );
}

/** Prints the results of a shard. Returns the exit code. */
export async function printShard({
  shard,
  fingerprint,
  tally,
  complete,
}: NonNullable<AuditedFailover['part']>): Promise<number> {
  // a filtered shard would look complete
  if (!complete) return EXIT_NOT_FINISHED;
  await writeToStdout(`${JSON.stringify({ kind: KIND, schemaVersion: 'v1', shard, fingerprint, tally })}\n`);
  return EXIT_OK;
}

interface ShardFile {
  file: string;
  shard: Shard;
  fingerprint: string;
  tally: TallyState;
}

/**
 * The results of the shards in these files, which must belong to the state's fingerprint. Rejects with a UserError that
 * names the file, or the shard that is missing.
 */
export async function readShards(
  files: readonly string[],
): Promise<(fingerprint: string, total: number) => TallyState[]> {
  const read: ShardFile[] = [];
  for (const file of files) read.push(await readShard(file));
  const { of } = read[0]!.shard;
  for (const { file, shard } of read)
    if (shard.of !== of)
      throw new UserError(`--merge ${file}: is one of ${shard.of} shards, ${read[0]!.file} one of ${of}`);
  const missing = Array.from({ length: of }, (_, index) => index).filter(
    (index) => !read.some(({ shard }) => shard.index === index),
  );
  if (missing.length > 0)
    throw new UserError(
      `--merge: of ${of} shards ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing; run again with ${missing.map((index) => `--shard ${index}/${of}`).join(', ')}`,
    );
  return (fingerprint, total) => {
    for (const { file, shard, tally, ...one } of read) {
      if (one.fingerprint !== fingerprint)
        throw new UserError(
          `--merge ${file}: is of another state, or of other flags; use the state and flags of the shards`,
        );
      const found = new Set(tally.contingencies.map(([at]) => at));
      if (found.size !== turnsIn(total, shard) || [...found].some((at) => at >= total))
        throw new UserError(`--merge ${file}: does not have the contingencies of its shard; run it again`);
    }
    return read.map(({ tally }) => tally);
  };
}

async function readShard(file: string): Promise<ShardFile> {
  const { value } = await parseNamed('--merge', file, await readNamed('--merge', file));
  const wrong = (field: string, expected: string) =>
    new UserError(`--merge ${file}: ${field} is not ${expected}; give the output of failover audit --shard`);
  if (!isObject(value) || value['kind'] !== KIND) throw wrong('kind', KIND);
  if (value['schemaVersion'] !== 'v1') throw wrong('schemaVersion', 'v1');
  const { shard, fingerprint, tally } = value;
  if (!isObject(shard)) throw wrong('shard', 'an object');
  const { index, of } = shard;
  if (!isPosition(index) || !isPosition(of) || index >= of) throw wrong('shard', 'an index below of');
  if (typeof fingerprint !== 'string') throw wrong('fingerprint', 'a text');
  if (!isTally(tally, { index, of })) throw wrong('tally', 'one of this shard');
  return { file, shard: { index, of }, fingerprint, tally };
}

const isPosition = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isText = (value: unknown): value is string => typeof value === 'string';
const CERTAINTIES: readonly unknown[] = ['certain', 'estimate', 'unknown'];
const isPair = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2;
const allOf = (value: unknown, holds: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(holds);

function isTally(value: unknown, { index, of }: Shard): value is TallyState {
  if (!isObject(value) || !allOf(value['contingencies'], isPair)) return false;
  const positions = new Set((value['contingencies'] as [unknown, unknown][]).map(([at]) => at));
  const isOwn = (at: unknown) => isPosition(at) && at % of === index && positions.has(at);
  const isTrouble = (one: unknown) => TROUBLES.some((trouble) => trouble === one);
  const isCluster = (one: unknown) => isObject(one) && isText(one['name']);
  const isDowntime = (one: unknown) =>
    isObject(one) &&
    isOwn(one['at']) &&
    (one['seconds'] === null || typeof one['seconds'] === 'number') &&
    typeof one['replicas'] === 'number';
  const isWorst = (one: unknown) =>
    isObject(one) &&
    isOwn(one['at']) &&
    isTrouble(one['trouble']) &&
    isText(one['outcome']) &&
    CERTAINTIES.includes(one['certainty']) &&
    allOf(one['after'], isCluster);
  const isWorkload = (one: unknown) =>
    isObject(one) &&
    CERTAINTIES.includes(one['certainty']) &&
    isObject(one['dependsOn']) &&
    Object.values(one['dependsOn']).every(
      (place) => isPair(place) && isOwn(place[0]) && isPosition(place[1]),
    ) &&
    allOf(one['homes'], isText) &&
    allOf(one['troubles'], (each) => isPair(each) && isOwn(each[0]) && isTrouble(each[1])) &&
    (one['worst'] === undefined || isWorst(one['worst'])) &&
    (one['downtime'] === undefined || isDowntime(one['downtime']));
  const isContingency = (one: unknown) =>
    isObject(one) &&
    [one['name'], one['kind']].every(isText) &&
    allOf(one['clusters'], isText) &&
    [one['workloads'], one['uncertain']].every(isPosition) &&
    [one['outcomes'], one['troubles'], one['cost']].every(
      (counts) => isObject(counts) && Object.values(counts).every(isPosition),
    );
  const isArriving = (one: unknown) =>
    isObject(one) &&
    Object.values(one).every(
      (most) => isObject(most) && isOwn(most['at']) && typeof most['amount'] === 'number',
    );
  return (
    allOf(value['contingencies'], (one) => isPair(one) && isOwn(one[0]) && isContingency(one[1])) &&
    allOf(value['workloads'], (one) => isPair(one) && isText(one[0]) && isWorkload(one[1])) &&
    allOf(value['arrivals'], (one) => isPair(one) && isText(one[0]) && isArriving(one[1]))
  );
}
