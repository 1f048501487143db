/** Whether a double holds a decimal number: whether reading and writing it gives the same number back. */

/** `text` is a decimal number in the syntax of JSON (leading zeros, a plus and a bare point are fine too). */
export function isExactNumber(text: string): boolean {
  if (text.length <= 15 && !/[eE]/.test(text)) return true;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  return canonical(text) === canonical(String(value));
}

/** The digits without leading and trailing zeros, and the power of ten of the last of them. */
function canonical(text: string): string {
  const match = /^[-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text);
  if (match === null) return text;
  const fraction = match[2] ?? '';
  const digits = `${match[1] ?? ''}${fraction}`.replace(/^0+/, '');
  const significant = trimZeros(digits);
  if (significant === '') return '0';
  return `${significant}e${Number(match[3] ?? 0) - fraction.length + digits.length - significant.length}`;
}

// Not /0+$/, which is quadratic in runs of zeros.
function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
