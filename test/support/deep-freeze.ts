/** Freezes a value and all that it holds; a Map or a Set refuses to be changed. */
export function deepFreeze<T>(value: T): T {
  const seen = new Set<object>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const current = pending.pop();
    if ((typeof current !== 'object' && typeof current !== 'function') || current === null || seen.has(current))
      continue;
    seen.add(current);
    if (ArrayBuffer.isView(current)) continue;
    if (current instanceof Map) {
      pending.push(...current.keys(), ...current.values());
      for (const method of ['set', 'delete', 'clear']) Object.defineProperty(current, method, { value: refuse });
    } else if (current instanceof Set) {
      pending.push(...current);
      for (const method of ['add', 'delete', 'clear']) Object.defineProperty(current, method, { value: refuse });
    }
    for (const key of Reflect.ownKeys(current)) {
      const described = Object.getOwnPropertyDescriptor(current, key);
      if (described && 'value' in described) pending.push(described.value);
    }
    Object.freeze(current);
  }
  return value;
}

function refuse(): never {
  throw new Error('a stage changed what it was given');
}
