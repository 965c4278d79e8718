import type { CommandLine } from '../../src/karmada/configuration/commandLine.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { createRecording } from '../../src/state/recording/recordingWriter.ts';
import { identityOf } from '../../src/state/world/validateObject.ts';
import { checked, startOf } from '../state/recording/recorded.ts';
import { objectsAt } from './moments.ts';
import type { Recording } from './recording.ts';

/** Writes a watch's events as `record` would have written them. Returns the number of changes. */
export async function writeRecordedFile(
  recording: Recording,
  file: string,
  commandLines: readonly CommandLine[] = [],
): Promise<number> {
  const { start, until, changes } = recording;
  const known = new Map(
    objectsAt(recording, start)
      .map(checked)
      .map((one) => [identityOf(one), one]),
  );
  const writer = await createRecording(file, { escaped: (text) => text });
  await writer.start(start, {
    ...startOf(known.values()),
    components: {
      commandLines: [...commandLines],
      versions: [{ component: 'controllerManager', version: 'v1.18.2', source: 'the recording' }],
      warnings: [],
    },
  });
  let flushed = start;
  for (const change of changes) {
    const { time } = change;
    if (time <= start || time > until) continue;
    const typed = typedObject(change, known);
    if (!typed) continue;
    const of = identityOf(typed);
    const before = known.get(of);
    if (change.type === 'DELETED') known.delete(of);
    else known.set(of, typed);
    writer.change(time, {
      ...(before ? { before } : {}),
      ...(change.type === 'DELETED' ? {} : { after: typed }),
    });
    if (time - flushed > 1000) await writer.flush((flushed = time), () => startOf(known.values()));
  }
  await writer.close(until, 'it was over');
  return writer.size.changes;
}

function typedObject(
  { object, resource }: Recording['changes'][number],
  known: ReadonlyMap<string, KubernetesObject>,
): KubernetesObject | undefined {
  if (object.kind && object.apiVersion) return checked(object);
  const { namespace = '', name } = object.metadata;
  const like = [...known.values()].find(
    (one) =>
      `${one.kind.toLowerCase()}s` === resource &&
      one.metadata.name === name &&
      (one.metadata.namespace ?? '') === namespace,
  );
  const any = like ?? [...known.values()].find(({ kind }) => `${kind.toLowerCase()}s` === resource);
  return any && checked({ ...object, apiVersion: any.apiVersion, kind: any.kind });
}
