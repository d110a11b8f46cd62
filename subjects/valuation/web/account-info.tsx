import { Copy } from 'lucide-react';
import { type MetaFunction, useLoaderData, useNavigate } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { accountText } from './account-text.ts';
import { AccountForm } from './form.tsx';
import { useLive } from './use-live.ts';
import type { loader as valuationLoader, ValuationData } from './valuation-loader.ts';

export { loader } from './valuation-loader.ts';

export const handle = { phone: { back: true } };

export const meta: MetaFunction<typeof valuationLoader> = (args) =>
  pageMeta(args, {
    title: `${args.loaderData?.game.name ?? ''}账号信息`,
    description: '选好区服、段位、皮肤，生成一份看得懂的账号信息，复制给客服或一键去发布',
    canonicalQuery: args.loaderData ? `gameId=${args.loaderData.game.id}` : undefined,
    noindex: args.loaderData?.isKept === true,
  });

function Body({ data }: { data: ValuationData }) {
  const navigate = useNavigate();
  const live = useLive(data, { isPriced: false });
  const areaName = data.areas.find(({ id }) => String(id) === live.areaId)?.name ?? null;
  const text = accountText({ gameName: data.game.name, areaName, fields: data.fields, details: live.details });
  const isEmpty = !text.includes('\n');
  const go = async (to: (sn: string) => string) => {
    const sn = await live.keep();
    if (sn) await navigate(to(sn));
  };
  return (
    <div className="val-page val-flow">
      <AccountForm data={data} live={live} />
      <section className="panel content-start self-start" aria-labelledby="account-text">
        <div className="panel-head">
          <h1 id="account-text" className="text-16 font-semibold">
            账号信息
          </h1>
          <p>不含账号密码，可以发给客服或买家</p>
        </div>
        <div className="grid gap-3 p-4">
          <pre className="min-h-40 rounded-control bg-sunken px-4 py-3 font-sans text-13 leading-6 whitespace-pre-wrap">
            {text}
            {isEmpty && <span className="block text-ink-3">填写账号情况，这里随填随变。</span>}
          </pre>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" disabled={isEmpty} onClick={() => void copyText(text)}>
              <Copy className="icon" aria-hidden="true" />
              复制全部
            </Button>
            <Button
              disabled={live.busy}
              onClick={() => void go((sn) => `/center/sell?gameId=${data.game.id}&gt=1&valuation=${sn}`)}
            >
              带着这些去发布
            </Button>
            <Button disabled={live.busy} onClick={() => void go((sn) => `/gj-wzry?sn=${sn}`)}>
              看看值多少
            </Button>
          </div>
          <FormError>{live.errors.send}</FormError>
        </div>
      </section>
    </div>
  );
}

/** An account as text, made from the game's own fields: to be copied, published, or valued. */
export default function AccountInfo() {
  const data = useLoaderData<typeof valuationLoader>();
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '账号信息' }, { label: data.game.name }]} />
      </div>
      <Body key={`${data.game.id}:${data.first.evaluationSn}`} data={data} />
    </>
  );
}
