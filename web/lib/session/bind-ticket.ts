import { bindThirdPartyTicket } from '#subjects/accounts/contract/wechat.ts';
import { call } from '../api/api.ts';
import { isApiFailure } from '../api/api-failure.ts';

const KEY = 'bindTicket';

/** Saves the ticket of a third-party log-in until this tab's visitor has logged in or registered. */
export function saveBindTicket(ticket: string): void {
  try {
    sessionStorage.setItem(KEY, ticket);
  } catch {
    // Without storage the account can still be bound later, in the user centre.
  }
}

/** Whether a third-party log-in is waiting for a log-in or registration. */
export function hasBindTicket(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/**
 * Binds the saved ticket to the user who has just logged in; resolves to the reason when that failed, otherwise to
 * null.
 */
export async function bindSavedTicket(): Promise<string | null> {
  try {
    const ticket = sessionStorage.getItem(KEY);
    if (!ticket) return null;
    sessionStorage.removeItem(KEY);
    await call(bindThirdPartyTicket, { ticket }, { quiet: true });
    return null;
  } catch (error) {
    return isApiFailure(error) ? error.msg : null;
  }
}
