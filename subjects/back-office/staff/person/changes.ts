/** Tells the panels of a person's page that what they show was changed by another part of the page. */
const CHANGED = 'person:changed';

/** A note was added, a session ended. */
export function notesChanged(): void {
  window.dispatchEvent(new Event(CHANGED));
}

/** Calls back after each change; returns how to stop. */
export function onChanged(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}
