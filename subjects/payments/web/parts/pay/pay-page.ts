/**
 * A link to the channel's page behind a QR, for users on their phone; null when the code is not a URL that a browser
 * can open. The demo market's own page also receives the URL to return to.
 */
export function payPage(qrText: string, back: string): string | null {
  if (!/^https?:\/\//.test(qrText) || !URL.canParse(qrText)) return null;
  const url = new URL(qrText);
  if (url.pathname.startsWith('/pay/sandbox/')) url.searchParams.set('back', back);
  return url.href;
}
