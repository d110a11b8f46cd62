/** Draft of the want form, saved in the tab while the user changes filters on the list. */
export interface WantDraft {
  bigTitle: string;
  budget: string;
  deposit: string;
}

const KEY = 'want-draft';

/** The saved draft; undefined when there is none or storage is blocked. */
export function readDraft(): Partial<WantDraft> | undefined {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof saved !== 'object' || saved === null) return undefined;
    return Object.fromEntries(Object.entries(saved).filter(([, value]) => typeof value === 'string'));
  } catch {
    return undefined;
  }
}

/** Saves the draft, or deletes it. */
export function saveDraft(draft: WantDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage the draft is lost when the page is left.
  }
}
