/** The IR as JSON, for people, tools and tests. The version changes when the form does. */
import type { Api } from './api.js';

export const irVersion = 1;

/** The whole Api; maps become objects keyed by address, sets become lists. */
export function printApi(api: Api): string {
  const { schemas, shapes, referenced, directional, ...rest } = api;
  return JSON.stringify(
    {
      oasmithIr: irVersion,
      ...rest,
      schemas: Object.fromEntries(schemas),
      shapes: Object.fromEntries(shapes),
      referenced: [...referenced],
      directional: [...directional],
    },
    null,
    2,
  );
}
