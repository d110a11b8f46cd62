import { type MetaFunction, useLoaderData } from 'react-router';
import { spanText } from '#contract/rules/time/span.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ApplyPage } from './apply.tsx';
import type { loader as recycleLoader } from './recycle-loader.ts';
import { RequestPage } from './request.tsx';

export { loader } from './recycle-loader.ts';

export const handle = { phone: { back: true, title: '账号回收' } };

export const meta: MetaFunction<typeof recycleLoader> = (args) =>
  pageMeta(args, {
    title: '账号回收',
    description: `填几项就有平台保底价，回收商匿名竞价${args.loaderData ? ` ${spanText(args.loaderData.terms.bidSeconds)}` : ''}，最高价先托管货款再由您决定，验号通过就付款`,
    noindex: args.loaderData?.request !== null,
  });

/** Sells an account to a recycler: the form with the floor, or a request on its way. */
export default function Recycle() {
  const data = useLoaderData<typeof recycleLoader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '回收', to: '/recycle' }, { label: data.game.name }]}
        />
      </div>
      {data.request ? <RequestPage data={data} request={data.request} /> : <ApplyPage key={data.game.id} data={data} />}
    </>
  );
}
