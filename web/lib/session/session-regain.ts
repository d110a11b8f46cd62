import { clearHints, cookie } from './cookies.ts';
import { regainPrompt } from './prompt.ts';

/** The user for whom the page was loaded: its forms contain this user's input. */
const signedInAs = (): string | null => cookie('userId') ?? cookie('nickName');
const owner = typeof document === 'undefined' ? null : signedInAs();
const wasSignedIn = typeof document !== 'undefined' && cookie('token') !== null;

/**
 * Whether an ended session can be restored on this page: a user was signed in when it was loaded. A visitor goes to the
 * log-in page instead.
 */
export function canRegain(): boolean {
  return wasSignedIn;
}

/**
 * Opens the log-in in a dialog and resolves to whether the same user is signed in again. Several calls whose session
 * ends at the same time share one dialog. When another user logs in, the page is reloaded, because the input is not
 * theirs.
 */
export async function logInAgain(): Promise<boolean> {
  if (!canRegain()) return false;
  if (!regainPrompt.current()) clearHints();
  const isSignedIn = await regainPrompt.ask();
  const isOther = isSignedIn && owner !== null && signedInAs() !== owner;
  if (!isOther) return isSignedIn;
  window.location.reload();
  return await new Promise<never>(() => {});
}
