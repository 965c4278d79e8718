import * as Flags from '@oclif/core/flags';

/** Which namespaces an answer covers. */
export const scopeFlags = {
  namespace: Flags.string({ char: 'n', summary: 'only this namespace', helpValue: 'NAMESPACE' }),
  'all-namespaces': Flags.boolean({
    char: 'A',
    summary: 'all namespaces (the default); overrides --namespace',
  }),
};

/** Which workloads an answer that lists them covers. */
export const selectionFlags = {
  ...scopeFlags,
  selector: Flags.string({
    char: 'l',
    summary: 'only workloads with these labels, such as app=cart,tier!=edge',
    helpValue: 'SELECTOR',
  }),
  'field-selector': Flags.string({
    summary: 'only bindings with these fields: metadata.name, metadata.namespace',
    helpValue: 'SELECTOR',
  }),
};
