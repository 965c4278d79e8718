import * as Flags from '@oclif/core/flags';

/** The flags that name manifests. */
export const manifestFlags = {
  filename: Flags.string({
    char: 'f',
    summary: 'manifests: a file, a directory with everything in it, or - for stdin',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  kustomize: Flags.string({
    char: 'k',
    summary: 'manifests that kubectl kustomize builds from this directory',
    helpValue: 'DIR',
    multiple: true,
    multipleNonGreedy: true,
  }),
};
