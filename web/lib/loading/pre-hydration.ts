import type { SyntheticEvent } from 'react';
import type { Field } from '#web/head/queue-input.ts';
import { forgetValue } from '#web/router-internals/field-tracker.ts';

/**
 * Replays the user's input from before hydration, which web/head/queue-input.ts has queued: a page is displayed long before its scripts are loaded,
 * and a click without effect, or input that disappears, looks like a broken page. A clicked element fades immediately until the action runs.
 */

/** Replays a field. An event may trigger the hydration of the field's part, which resets the value, so the value is set again before each event. */
function restoreField(field: Field): void {
  const { value } = field;
  if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
    forgetValue(field, String(!field.checked));
    // React listens to the click of checkboxes; a plain event of that name does not toggle the box again.
    field.dispatchEvent(new Event('click', { bubbles: true }));
    return;
  }
  for (const type of ['input', 'change']) {
    const isReset = field.value !== value;
    // Only if it differs: setting a value interrupts an input method.
    if (isReset) field.value = value;
    if (isReset || type === 'input') forgetValue(field, `${value}\u0000`);
    field.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

interface Selection {
  readonly field: HTMLSelectElement;
  readonly value: string;
}

/**
 * Selects one value after another, each after the previous one's changes were rendered: a select that adds to a list is empty again after
 * each. A value that is no longer offered is skipped.
 */
function selectNext([one, ...rest]: readonly Selection[], done: () => void): void {
  if (!one) return done();
  const { field, value } = one;
  if (field.isConnected && [...field.options].some((option) => option.value === value)) {
    field.value = value;
    restoreField(field);
  }
  setTimeout(() => selectNext(rest, done));
}

/**
 * Prevents React from delivering queued events that will be replayed: a click that started the hydration, or one between its end and the replay.
 * Delivered immediately it would count twice, and a form would be sent before the text of its fields was restored. A handler of the capture phase
 * at the root calls this. A popover that the browser opened is not replayed.
 */
export function leaveToReplay(event: SyntheticEvent): void {
  const actions = window.early?.acts;
  if (!actions?.size || !(event.target instanceof HTMLElement)) return;
  const clicked = [event.target, event.target.closest<HTMLElement>('button,a[aria-haspopup]')];
  if (clicked.some((one) => one && actions.has(one) && !one.hasAttribute('popovertarget'))) event.stopPropagation();
}

/**
 * Replays the input made before hydration: without `part` when the page is hydrated, except for what belongs to parts that are not; with one,
 * when it is (web/lib/loading/hydrated-later.tsx), which it is marked as afterwards.
 */
export function replayPreHydrationEvents(part?: Element): void {
  const { early } = window;
  if (!early) return;
  early.done = true;
  const isDue = (element: Element) => element.closest('[data-late]') === (part ?? null);
  const selections: Selection[] = [];
  const fields = [...early.fields].filter(([field]) => isDue(field));
  for (const [field, values] of fields) {
    if (field instanceof HTMLSelectElement) selections.push(...values.map((value) => ({ field, value })));
    else if (field.isConnected) restoreField(field);
  }
  // Only now: the part is still marked, so the events of the restored fields were queued as well. In a loop over the map itself they would be next.
  for (const [field] of fields) early.fields.delete(field);
  // Clicks are replayed in a separate task: this one may be the dispatch of a click that React is about to deliver (`leaveToReplay`).
  setTimeout(() => {
    const actions = [...early.acts].filter(isDue);
    part?.removeAttribute('data-late');
    for (const action of actions) early.acts.delete(action);
    selectNext(selections, () => doNext(actions, PATIENCE));
  });
}

/** Ends the sign that a click was received: from here on the component shows its own state. */
function endSign(action: HTMLElement): void {
  for (const element of [action, ...action.querySelectorAll<HTMLElement>('button')])
    for (const sign of element.getAnimations?.() ?? []) if (sign.id === 'early') sign.cancel();
}

/** Number of retries for a button that is busy at first, and ms between them. */
const PATIENCE = 30;
const POLL_MS = 100;

/**
 * Replays one after another, each after the previous one's changes were rendered, so that a form is submitted with the
 * content of its fields.
 */
function doNext(actions: HTMLElement[], attempts: number): void {
  const [one, ...rest] = actions;
  if (!one) return;
  setTimeout(() => {
    if (one instanceof HTMLButtonElement && one.disabled && attempts > 0)
      return setTimeout(() => doNext(actions, attempts - 1), POLL_MS);
    endSign(one);
    if (one instanceof HTMLFormElement && one.isConnected) one.requestSubmit();
    // A popover opened by the browser is already open; a second click would close it.
    else if (one.isConnected && !one.hasAttribute('popovertarget')) one.click();
    return doNext(rest, PATIENCE);
  });
}
