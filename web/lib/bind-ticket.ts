import { bindThirdPartyTicket } from '#contract/wechat.ts';
import { call } from './api.ts';
import { isApiFailure } from './api-failure.ts';

const KEY = 'bindTicket';

/** Keeps what a third party has proved until this tab's visitor has logged in or registered. */
export function saveBindTicket(ticket: string): void {
  try {
    sessionStorage.setItem(KEY, ticket);
  } catch {
    // Without a storage the account is bound later, from the centre.
  }
}

/** Binds what is kept to the user who has just come in; answers why not, null when nothing stands in the way. */
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
