import { writeCookie } from './cookies.ts';

/** Deletes the saved code once it has been used. The server saves it with the first answer (server/ssr/ssr.ts). */
export function forgetInvite(): void {
  writeCookie('invitecode', '', 0);
}
