import { useLoaderData, useSearchParams } from 'react-router';
import { pageMeta } from '#web/lib/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { ChooseGame } from './choose-game.tsx';
import { SellFormPage } from './sell-form.tsx';
import type { loader as sellLoader, SellData } from './sell-loader.ts';
import { Sent } from './sent.tsx';

export { loader } from './sell-loader.ts';

export const handle = { phone: { back: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '发布商品', noindex: true });
}

const HEAD = (
  <div className="panel-head">
    <h1 id="sell" className="text-16 font-semibold">
      发布商品
    </h1>
  </div>
);

/** Why the user cannot sell yet, with the step that comes first. */
function BeforeSelling({ isMinor }: { isMinor: boolean }) {
  if (isMinor)
    return <EmptyState title="未满 18 周岁不能发布商品">根据国家规定，已成年的实名用户才能交易。</EmptyState>;
  return (
    <EmptyState
      title="先完成实名认证"
      action={
        <ButtonLink kind="primary" to="/center/myself/identityAuthentication?returnUrl=%2Fcenter%2Fsell">
          去实名认证
        </ButtonLink>
      }
    >
      卖家须为已成年的实名用户，认证约 1 分钟；货款也只能提现到本人账户。
    </EmptyState>
  );
}

function Body({ data }: { data: SellData }) {
  const [query] = useSearchParams();
  const { state, opened } = data;
  if (state.doneSn !== null) {
    const again =
      state.gameId !== null && state.typeId !== null ? `/center/sell?gameId=${state.gameId}&gt=${state.typeId}` : null;
    return <Sent goodsSn={state.doneSn} status={state.doneStatus} edited={query.has('edited')} again={again} />;
  }
  if (!data.canSell)
    return (
      <section className="panel" aria-labelledby="sell">
        {HEAD}
        <BeforeSelling isMinor={data.isMinor} />
      </section>
    );
  if (opened === null) return <ChooseGame games={data.games} />;
  if (opened.ok) return <SellFormPage key={opened.draftKey} data={data} opened={opened} />;
  return (
    <section className="panel" aria-labelledby="sell">
      {HEAD}
      <EmptyState
        title={opened.msg}
        action={
          <>
            <ButtonLink to="/center/sellOutGoods">查看我的商品</ButtonLink>
            <ButtonLink to="/center/sell" kind="primary">
              发布商品
            </ButtonLink>
          </>
        }
      />
    </section>
  );
}

/** Publishing: choose game and type, fill in the game's form, see the proceeds, submit for review. */
export default function Sell() {
  return <Body data={useLoaderData<typeof sellLoader>()} />;
}
