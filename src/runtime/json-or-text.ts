// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { Validation, Validator, ValueCodec } from './validation.js';

interface Alternative {
  readonly validate?: Validator<unknown>;
  readonly codec?: ValueCodec;
}

/**
 * The data of events of one name, of which a contract declares some as JSON and some as text. What is JSON and fits its
 * schema is taken for that, everything else for text.
 */
export function jsonOrText(
  json: Alternative,
  plain: Alternative,
): { readonly validate: Validator<unknown>; readonly codec: ValueCodec } {
  const read = (text: string): { readonly value?: unknown; readonly verdict: Validation<unknown> } => {
    const found = parsed(text);
    const verdict = found && (json.validate?.(found.value) ?? { ok: true, value: text });
    if (found && verdict?.ok) return { ...found, verdict };
    const asText = plain.validate?.(text) ?? { ok: true, value: text };
    // What looks like the one alternative is told what it lacks of that.
    return { value: text, verdict: asText.ok ? asText : (verdict ?? asText) };
  };
  const decode = (text: unknown): unknown => {
    const { value } = read(text as string);
    return json.codec && value !== text ? json.codec.decode(value) : value;
  };
  return {
    validate: (text) => read(text as string).verdict,
    codec: {
      decode,
      encode(value) {
        const text = JSON.stringify(json.codec ? json.codec.encode(value) : value);
        if (typeof value !== 'string') return text;
        if (!json.validate) return value;
        const found = [value, text].find((one) => decode(one) === value);
        if (found === undefined) throw new CallError('request', 'holds a text that would be read as JSON');
        return found;
      },
    },
  };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
