/** What is typed into the posting form, kept in the tab while one goes and changes the filters. */
export interface WantDraft {
  bigTitle: string;
  budget: string;
  deposit: string;
}

const KEY = 'want-draft';

/** The kept draft; undefined when there is none or the browser forbids looking. */
export function readDraft(): Partial<WantDraft> | undefined {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof saved !== 'object' || saved === null) return undefined;
    return Object.fromEntries(Object.entries(saved).filter(([, value]) => typeof value === 'string'));
  } catch {
    return undefined;
  }
}

/** Keeps what is typed, or forgets it. */
export function saveDraft(draft: WantDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
    else sessionStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing loses the draft when the page is left.
  }
}
