import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { bargainingList } from '#subjects/offers/contract/offers.ts';
import { type Belong, BUYS, SELLS } from '#contract/rules/parties.ts';
import { call } from '#web/lib/api/api.ts';
import { useAutoRefresh } from '#web/lib/loading/use-auto-refresh.ts';
import { ListFinder } from '#web/parts/search/list-finder.tsx';
import { ListBody } from '#web/ui/lists/list-body.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { ActionDialog } from './action-dialog.tsx';
import type { ConfirmedAction } from './bargain-actions.ts';
import {
  BARGAIN_PATHS,
  BARGAIN_TABS,
  type BargainItem,
  bargainInput,
  bargainPath,
  type BargainsData,
  isOpen,
} from './bargain-query.ts';
import { BargainRow } from './bargain-row.tsx';
import { FloorRule } from './floor-rule.tsx';

const TEXTS: Readonly<Record<Belong, { title: string; empty: string; text: string; to: string; action: string }>> = {
  [BUYS]: {
    title: '我的议价',
    empty: '还没有出过价',
    text: '标着“可议价”的商品可以出价，卖家 24 小时内答复；谈成的价格仅对您有效。',
    to: '/wares?gt=1&bargain=1',
    action: '查看可议价的商品',
  },
  [SELLS]: {
    title: '收到的议价',
    empty: '还没有买家出价',
    text: '发布或修改商品时打开“接受议价”，买家就能出价，同意前您看得到到手多少。',
    to: '/center/sellOutGoods',
    action: '查看我的商品',
  },
};

type Offers = Data<typeof bargainingList>;

/** The offer that the viewer is answering, kept here because its row may disappear from the list meanwhile. */
interface Answering {
  item: BargainItem;
  action: ConfirmedAction;
  /** The list from which it was selected. */
  of: string;
}

function Tabs({ data, offers }: { data: BargainsData; offers: Offers | null }) {
  const { belong, state } = data;
  return (
    <LinkTabs
      label="议价状态"
      items={BARGAIN_TABS[belong].map(({ status, label }) => ({
        key: label,
        label,
        to: bargainPath(belong, { ...state, status }),
        isCurrent: state.status === status,
        ...(offers && { count: offers.counts[status === null ? 'all' : String(status)] }),
      }))}
    />
  );
}

/** The last loaded list; it is kept when reloading fails. */
function useOffers({ result }: BargainsData, of: string): Offers | null {
  const [read, setRead] = useState(result.ok ? { of, offers: result.data } : null);
  if (result.ok && read?.offers !== result.data) setRead({ of, offers: result.data });
  return result.ok ? result.data : read?.of === of ? read.offers : null;
}

function Rows({
  data,
  first,
  isAnswering,
  onSelect,
}: {
  data: BargainsData;
  first: Offers;
  isAnswering: boolean;
  onSelect: (item: BargainItem, action: ConfirmedAction) => void;
}) {
  const { belong, state, now } = data;
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(bargainingList, bargainInput(belong, state, cursor), { quiet: true }),
    ({ bargainId }) => bargainId,
  );
  // The other party may answer at any time. A list extended by the user is not reloaded.
  useAutoRefresh(!isAnswering && !busy && items.length <= first.list.length && items.some(isOpen));
  const text = TEXTS[belong];
  if (items.length === 0)
    return state.status !== null || state.keyWord ? (
      <EmptyState
        title="没有符合条件的议价"
        action={<ButtonLink to={BARGAIN_PATHS[belong]}>查看全部议价</ButtonLink>}
      />
    ) : (
      <EmptyState
        title={text.empty}
        action={
          <ButtonLink to={text.to} kind="primary">
            {text.action}
          </ButtonLink>
        }
      >
        {text.text}
      </EmptyState>
    );
  return (
    <>
      <ul>
        {items.map((item) => (
          <BargainRow key={item.bargainId} item={item} now={now} onSelect={(action) => onSelect(item, action)} />
        ))}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** Bargains of one party: those pending on the viewer, those agreed, those ended. */
export function BargainPage({ data }: { data: BargainsData }) {
  const { belong, state, result, floorPercent } = data;
  const { revalidate } = useRevalidator();
  const of = `${state.status}:${state.keyWord}`;
  const offers = useOffers(data, of);
  const [answered, setAnswering] = useState<Answering | null>(null);
  const answering = answered?.of === of ? answered : null;
  const [floorOpen, setFloorOpen] = useState(false);
  return (
    <section className="panel" aria-labelledby="bargains">
      <div className="panel-head flex-wrap gap-2 py-2">
        <h1 id="bargains" className="text-16 font-semibold">
          {TEXTS[belong].title}
        </h1>
        <div className="ml-auto flex flex-wrap items-center gap-2 max-md:w-full">
          {floorPercent !== null && <FloorRule percent={floorPercent} open={floorOpen} onOpen={setFloorOpen} />}
          <ListFinder label="搜索议价" placeholder="商品编号、标题" keyWord={state.keyWord} status={state.status} />
        </div>
      </div>
      <Tabs data={data} offers={offers} />
      <ListBody path={BARGAIN_PATHS[belong]}>
        {offers && (
          <Rows
            key={of}
            data={data}
            first={offers}
            isAnswering={answering !== null || floorOpen}
            onSelect={(item, action) => setAnswering({ item, action, of })}
          />
        )}
        {!offers && !result.ok && <ErrorState message={result.msg} onRetry={() => void revalidate()} />}
      </ListBody>
      {answering && (
        <ActionDialog
          item={answering.item}
          action={answering.action}
          onClose={() => setAnswering(null)}
          onDone={() => {
            setAnswering(null);
            void revalidate();
          }}
        />
      )}
    </section>
  );
}
