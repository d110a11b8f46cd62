const KEY = 'chatDrafts';
/** More are not kept; the one that was left alone longest goes first. */
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

/** What was typed in a group and not sent, on this device. `owner` keeps the people of one device apart. */
export function draftOf(owner: string, groupId: string): string {
  return all()[`${owner}:${groupId}`] ?? '';
}

/** Keeps what is typed; an empty text is no draft. A browser that keeps nothing is no error. */
export function saveDraft(owner: string, groupId: string, text: string): void {
  const { [`${owner}:${groupId}`]: _, ...rest } = all();
  const recent = Object.entries(rest).slice(-(MAX_DRAFTS - 1));
  const next = text.trim() === '' ? recent : [...recent, [`${owner}:${groupId}`, text.slice(0, MAX_CHARS)]];
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(next)));
  } catch {
    // Private windows may refuse.
  }
}
