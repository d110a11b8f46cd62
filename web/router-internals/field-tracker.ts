import { isStock } from './stock.ts';

/** Where React stores a field's last known value; with another value there, it treats the next event as a change. */
interface Tracked {
  _valueTracker?: { setValue(value: string): void };
}

/**
 * Makes React treat the next event of a field as a change, although the value is the one it found during hydration.
 * Without it, input typed before the scripts loaded stays on screen but is not sent. Setting the value twice would also work, but
 * would interrupt an input method.
 */
export function forgetValue(field: HTMLElement & { value: string }, known: string): void {
  if (!isStock('fields')) (field as Tracked)._valueTracker?.setValue(known);
}
