import { useLoaderData } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Identity } from './identity-form.tsx';
import type { loader } from '#subjects/accounts/center/self-loader.ts';
import { SelfTabs } from '#subjects/accounts/center/self-tabs.tsx';

export { loader } from '#subjects/accounts/center/self-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '实名认证', noindex: true });
}

/** Real-name verification at its own URL. */
export default function IdentityPage() {
  const data = useLoaderData<typeof loader>();
  return (
    <SelfTabs current={1}>
      <Identity data={data} />
    </SelfTabs>
  );
}
