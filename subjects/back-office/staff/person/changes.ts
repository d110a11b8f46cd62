/** Notifies the panels of a person's page that their data was changed by another part of the page. */
const CHANGED = 'person:changed';

/** A note was added, a session ended. */
export function notesChanged(): void {
  window.dispatchEvent(new Event(CHANGED));
}

/** Calls `listener` after each change; returns the function to unsubscribe. */
export function onChanged(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}
