/** Schemas of server-sent events, as documents of tests declare them. */

/** An event of this name, or of any. */
export function event(name: string | undefined, data: object): object {
  return { type: 'object', properties: { ...(name !== undefined && { event: { const: name } }), data } };
}

/** Data that is JSON of this schema. */
export function json(schema: object): object {
  return { type: 'string', contentMediaType: 'application/json', contentSchema: schema };
}
