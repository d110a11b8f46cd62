import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { LayoutData } from '#web/lib/pages/layout-data.ts';
import { rememberLayout } from '#web/lib/loading/failed-navigation.ts';
import { LateBoundary } from '#web/lib/loading/hydrated-later.tsx';
import { staleHint } from '#web/lib/lists/stale-params.ts';
import { serverOnlyDataOf, ServedPart } from '#web/lib/loading/served-part.tsx';
import { FloatingMenu, Footer, Header, TopStrip } from './chrome.tsx';
import { ConsentBar } from './consent-bar.tsx';
import { PhoneBar, PhoneHead, usePhoneHandle } from './phone-shell.tsx';

/**
 * The market's layout: top strip, header with search, navigation, footer; on phones a search pill at the top and five
 * links at the bottom. `search` sets the place of the search: the header, or the page, which then renders it itself.
 */
export function SiteLayout({
  data,
  search = 'header',
  isWork = false,
  children,
}: {
  data: LayoutData;
  search?: 'header' | 'page';
  /** A page used for work: its footer is short on phones. */
  isWork?: boolean;
  children: ReactNode;
}) {
  useEffect(() => rememberLayout(data), [data]);
  const footer = serverOnlyDataOf(data.footer);
  const unread = data.user?.unread ?? 0;
  const { isShort = isWork } = usePhoneHandle();
  const stale = staleHint(useSearchParams()[0]);
  return (
    <>
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-panel focus:p-3">
        跳到主要内容
      </a>
      <LateBoundary>
        <TopStrip data={data} />
        <Header data={data} search={search} />
      </LateBoundary>
      <PhoneHead logo={data.logo} name={data.name} notices={data.user?.notices ?? 0} />
      {data.consents.map((one) => (
        <ConsentBar key={one.code} consent={one} />
      ))}
      <main id="main" className="wrap min-h-[60dvh]" tabIndex={-1}>
        {stale && (
          <p
            className="mt-3 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn"
            role="status"
          >
            {stale}
          </p>
        )}
        {children}
      </main>
      <ServedPart of={data.footer} name="footer">
        {footer && <Footer conf={footer} isShort={isShort} />}
      </ServedPart>
      <LateBoundary>
        <FloatingMenu items={data.floats} serviceNum={data.serviceNum} />
      </LateBoundary>
      <PhoneBar unread={unread} />
    </>
  );
}
