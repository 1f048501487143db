/** The part of js-yaml that `yaml-fast.ts` uses; the package ships no types. */
declare module 'js-yaml' {
  export interface TypeOptions {
    readonly kind: 'scalar';
    readonly resolve: (text: string | null) => boolean;
    readonly construct: (text: string | null) => unknown;
  }
  export class Type {
    constructor(tag: string, options: TypeOptions);
  }
  export interface Schema {
    extend(definition: { readonly implicit: readonly Type[] }): Schema;
  }
  export const FAILSAFE_SCHEMA: Schema;
  export function load(text: string, options: { readonly schema: Schema; readonly maxDepth: number }): unknown;
}
