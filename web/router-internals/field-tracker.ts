import { isStock } from './stock.ts';

/** How React remembers what it last knew of a field; given another value, it takes the next event for a change. */
interface Tracked {
  _valueTracker?: { setValue(value: string): void };
}

/**
 * Makes React take the next event of a field for a change, though the value is the one that it found when it took the page over.
 * Without it what was typed before the scripts came stays on screen and is not sent. Setting the value twice would do as well, and
 * would break off what is being typed by an input method.
 */
export function forgetValue(field: HTMLElement & { value: string }, known: string): void {
  if (!isStock('fields')) (field as Tracked)._valueTracker?.setValue(known);
}
