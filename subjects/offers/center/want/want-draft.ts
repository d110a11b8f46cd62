import { cookie } from '#web/lib/session/cookies.ts';

/** Draft of the want form, saved in the tab by user, while filters are selected on the list and after leaving the page by mistake. */
export interface WantDraft {
  bigTitle: string;
  budget: string;
  deposit: string;
  alert: boolean;
  /** The form's query: game, type, region and filters are in the URL. */
  query: string;
}

const keyOf = (): string => `want-draft:${cookie('userId') ?? ''}`;

/** The saved draft; undefined when there is none or storage is blocked. */
export function readDraft(): Partial<WantDraft> | undefined {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(keyOf()) ?? 'null');
    if (typeof saved !== 'object' || saved === null) return undefined;
    const { bigTitle, budget, deposit, alert, query } = saved as Record<string, unknown>;
    return {
      ...(typeof bigTitle === 'string' && { bigTitle }),
      ...(typeof budget === 'string' && { budget }),
      ...(typeof deposit === 'string' && { deposit }),
      ...(typeof alert === 'boolean' && { alert }),
      ...(typeof query === 'string' && { query }),
    };
  } catch {
    return undefined;
  }
}

/** Saves the draft, or deletes it. */
export function saveDraft(draft: WantDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(keyOf(), JSON.stringify(draft));
    else sessionStorage.removeItem(keyOf());
  } catch {
    // Without storage the draft is lost when the page is left.
  }
}
