/**
 * Imported first by the command line, for what it does. A run takes some seconds at most, and the engine is set for hours:
 * it optimises functions early and again, on other threads, and throws most of that away when the run ends. Asked to wait
 * ten times as long, the same run takes two thirds of the CPU. Collecting what is short-lived is shared between threads too,
 * which on a heap this small costs a tenth of the CPU more than it saves; and most of what is long-lived lives to the end, so
 * looking through it before it has grown threefold is in vain. Only engines are asked that are known to understand.
 */
import { setFlagsFromString } from 'node:v8';

/** V8 of Node 20, 22 and 24; another one would print a complaint about a flag that it does not know. */
const isKnown = /^1[1-3]\./.test(process.versions.v8);

if (isKnown) {
  setFlagsFromString('--interrupt-budget=1000000');
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--heap-growing-percent=200');
}

/** The run does not end soon: memory that is free again must not wait for the end. */
export function longRun(): void {
  if (isKnown) setFlagsFromString('--heap-growing-percent=0');
}
