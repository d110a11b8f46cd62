/**
 * The channel's page behind a QR as a link, for those who hold the phone in their hand; null when the code is nothing
 * that a browser opens. The demo market's own page also learns where to come back to.
 */
export function payPage(qrText: string, back: string): string | null {
  if (!/^https?:\/\//.test(qrText) || !URL.canParse(qrText)) return null;
  const url = new URL(qrText);
  if (url.pathname.startsWith('/pay/sandbox/')) url.searchParams.set('back', back);
  return url.href;
}
