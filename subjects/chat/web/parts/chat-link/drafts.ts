const KEY = 'chatDrafts';
/** Maximum number of saved drafts; the least recently changed one is dropped. */
const MAX_DRAFTS = 50;
const MAX_CHARS = 2000;

type Drafts = Record<string, string>;

function all(): Drafts {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Drafts;
  } catch {
    return {};
  }
}

/** Unsent text of a group, on this device. `owner` separates the users of one device. */
export function draftOf(owner: string, groupId: string): string {
  return all()[`${owner}:${groupId}`] ?? '';
}

/** Saves a draft; an empty text deletes it. A browser without storage is not an error. */
export function saveDraft(owner: string, groupId: string, text: string): void {
  const { [`${owner}:${groupId}`]: _, ...rest } = all();
  const recent = Object.entries(rest).slice(-(MAX_DRAFTS - 1));
  const next = text.trim() === '' ? recent : [...recent, [`${owner}:${groupId}`, text.slice(0, MAX_CHARS)]];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(next)));
  } catch {
    // Storage may be unavailable in private windows.
  }
}
