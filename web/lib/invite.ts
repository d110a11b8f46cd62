import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { writeCookie } from './cookies.ts';

/** How long an invitation that somebody followed is remembered. */
const INVITE_HOURS = 7 * 24;
const INVITE_CODE = /^[A-Za-z0-9]{4,16}$/;

/** Keeps the invite code that an address carries, whichever page it leads to, until the visitor registers (product.md 3). */
export function useSavedInvite(): void {
  const [query] = useSearchParams();
  const code = query.get('inviteCode') ?? query.get('invitecode') ?? '';
  useEffect(() => {
    if (INVITE_CODE.test(code)) writeCookie('invitecode', code, INVITE_HOURS);
  }, [code]);
}

/** Forgets it once it has been used. */
export function forgetInvite(): void {
  writeCookie('invitecode', '', 0);
}
