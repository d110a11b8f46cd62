/** How long the invitation that a visitor followed is remembered, in hours. */
export const INVITE_HOURS = 7 * 24;

const INVITE_CODE = /^[A-Za-z0-9]{4,16}$/;

/** The invite code in an address, under either spelling of the specification; null without a valid one. */
export function inviteCodeOf(query: URLSearchParams): string | null {
  const code = query.get('inviteCode') ?? query.get('invitecode') ?? '';
  return INVITE_CODE.test(code) ? code : null;
}
