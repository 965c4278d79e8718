import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, pinned } from './goModules.ts';

/** A change of Karmada's sources: `find` occurs once in the file. */
interface Edit {
  file: string;
  find: string;
  put: string;
  /** the design's requirement */
  why: string;
}

/**
 * The changes of document 001 in components that `controller run` does not replace: the API of Clusters and policies, the scheduler, and
 * the taints that the cluster controller adds. Everything else in the test bed's Karmada stays as released.
 */
const edits: Edit[] = [
  {
    why: 'PreferNoExecute is an effect of Clusters',
    file: 'pkg/util/lifted/validateclustertaints.go',
    find: 'case corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute:',
    put: 'case corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, "PreferNoExecute":',
  },
  {
    why: 'its tolerationSeconds run from timeAdded, as those of NoExecute do',
    file: 'pkg/apis/cluster/mutation/mutation.go',
    find: 'if taints[i].Effect == corev1.TaintEffectNoExecute && taints[i].TimeAdded == nil {',
    put: 'if (taints[i].Effect == corev1.TaintEffectNoExecute || taints[i].Effect == "PreferNoExecute") && taints[i].TimeAdded == nil {',
  },
  {
    why: 'failover.cluster has tolerationSeconds, which the webhook and the detector would drop if their type lacked it',
    file: 'pkg/apis/policy/v1alpha1/propagation_types.go',
    find: 'type ClusterFailoverBehavior struct {',
    put: 'type ClusterFailoverBehavior struct {\n\tTolerationSeconds *int32 `json:"tolerationSeconds,omitempty"`\n',
  },
  {
    why: 'the taints not-ready and unreachable are no longer added by the system',
    file: 'pkg/controllers/cluster/cluster_controller.go',
    find: 'err = c.taintClusterByCondition(ctx, cluster)',
    put: 'err = nil',
  },
  {
    why: 'what has failover.cluster is not placed where it would have to leave again',
    file: 'pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go',
    find: '\tfilterPredicate := func(',
    put: [
      '\tif bindingSpec.Failover != nil && bindingSpec.Failover.Cluster != nil {',
      '\t\tfor i := range cluster.Spec.Taints {',
      '\t\t\tif cluster.Spec.Taints[i].Effect == "PreferNoExecute" {',
      '\t\t\t\treturn framework.NewResult(framework.Unschedulable, fmt.Sprintf("cluster(s) had untolerated taint {%s}", cluster.Spec.Taints[i].ToString()))',
      '\t\t\t}',
      '\t\t}',
      '\t}',
      '\ttolerations := bindingSpec.Placement.ClusterTolerations',
      '\tfor _, task := range bindingSpec.GracefulEvictionTasks {',
      '\t\tif task.FromCluster == cluster.Name {',
      '\t\t\ttolerations = nil',
      '\t\t\tfor _, toleration := range bindingSpec.Placement.ClusterTolerations {',
      '\t\t\t\tif toleration.TolerationSeconds == nil {',
      '\t\t\t\t\ttolerations = append(tolerations, toleration)',
      '\t\t\t\t}',
      '\t\t\t}',
      '\t\t}',
      '\t}',
      '',
      '\tfilterPredicate := func(',
    ].join('\n'),
  },
  {
    why: 'a toleration for a time does not bring it back to where a task evicts it from',
    file: 'pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go',
    find: 'cluster.Spec.Taints, bindingSpec.Placement.ClusterTolerations, filterPredicate',
    put: 'cluster.Spec.Taints, tolerations, filterPredicate',
  },
];

/** The suffix of the directories of these binaries and sources. */
function designHash(): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(pinned, file)));
  return hash.update(JSON.stringify(edits)).digest('hex').slice(0, 16);
}

/** Where the binaries of Karmada with the design's API are cached. */
export function designedDirectory(): string {
  return join(cache, `designed-${designHash()}`);
}

/**
 * The Go module in which Karmada is built with these changes, created if missing. Throws if one of them does not match.
 * @param released the directory of the released sources
 */
export function designedModule(released: string): string {
  const directory = join(cache, 'modules', `designed-${designHash()}`);
  if (existsSync(directory)) return directory;
  const partial = `${directory}.${process.pid}`;
  const sources = join(partial, 'karmada');
  mkdirSync(sources, { recursive: true });
  const parts = ['cmd', 'pkg', 'third_party', 'go.mod', 'go.sum'].map((part) => join(released, part));
  execFileSync('cp', ['-R', ...parts, sources]);
  // the module cache is read-only
  execFileSync('chmod', ['-R', 'u+w', sources]);
  for (const { file, find, put } of edits) {
    const path = join(sources, file);
    const around = readFileSync(path, 'utf8').split(find);
    if (around.length !== 2) throw new Error(`${file}: ${around.length - 1} places for ${find}`);
    writeFileSync(path, around.join(put));
  }
  const module = readFileSync(join(pinned, 'go.mod'), 'utf8');
  writeFileSync(join(partial, 'go.mod'), `${module}\nreplace github.com/karmada-io/karmada => ./karmada\n`);
  copyFileSync(join(pinned, 'go.sum'), join(partial, 'go.sum'));
  renameSync(partial, directory);
  return directory;
}
