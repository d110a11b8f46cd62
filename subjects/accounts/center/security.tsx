import { useLoaderData } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Security } from './security-list.tsx';
import type { loader } from './self-loader.ts';
import { SelfTabs } from './self-tabs.tsx';

export { loader } from './self-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '账户安全', noindex: true });
}

/** Account security at its own URL. */
export default function SecurityPage() {
  const { user } = useLoaderData<typeof loader>();
  return (
    <SelfTabs current={2}>
      <Security user={user} />
    </SelfTabs>
  );
}
