import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { writeCookie } from './cookies.ts';

/** How long the invitation that a visitor followed is remembered. */
const INVITE_HOURS = 7 * 24;
const INVITE_CODE = /^[A-Za-z0-9]{4,16}$/;

/** Saves the invite code in the URL of any page until the visitor registers (product.md 3). */
export function useSavedInvite(): void {
  const [query] = useSearchParams();
  const code = query.get('inviteCode') ?? query.get('invitecode') ?? '';
  useEffect(() => {
    if (INVITE_CODE.test(code)) writeCookie('invitecode', code, INVITE_HOURS);
  }, [code]);
}

/** Deletes the saved code once it has been used. */
export function forgetInvite(): void {
  writeCookie('invitecode', '', 0);
}
