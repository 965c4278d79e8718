import * as Flags from '@oclif/core/flags';

/** Which manifests a command takes. */
export const manifestFlags = {
  filename: Flags.string({
    char: 'f',
    summary: 'manifests: a file, a directory with all that it holds, or - for stdin',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  kustomize: Flags.string({
    char: 'k',
    summary: 'manifests that kubectl kustomize builds of this directory',
    helpValue: 'DIR',
    multiple: true,
    multipleNonGreedy: true,
  }),
};
