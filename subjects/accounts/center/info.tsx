import { useLoaderData, useSearchParams } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Basics } from './basics.tsx';
import { Identity } from '#subjects/verification/center/identity-form.tsx';
import { Security } from './security-list.tsx';
import type { loader } from './self-loader.ts';
import { SelfTabs } from './self-tabs.tsx';

export { loader } from './self-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '个人资料', noindex: true });
}

/** Basic information, real-name verification and security, by `tabIndex`. */
export default function MyselfInfoPage() {
  const data = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const index = { '1': 1, '2': 2 }[query.get('tabIndex') ?? '0'] ?? 0;
  return (
    <SelfTabs current={index}>
      {index === 0 && <Basics data={data} />}
      {index === 1 && <Identity data={data} />}
      {index === 2 && <Security user={data.user} />}
    </SelfTabs>
  );
}
