import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { staffGoodsList, staffTakeDown } from '#subjects/goods/contract/staff-listings.ts';
import { goodsList, type StaffListing } from '#subjects/goods/contract/list-goods.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag, TypeTag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { BulkAction } from '#subjects/back-office/staff/list/bulk.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';
import { ListingDrawer } from './listing/listing-drawer.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '全部商品', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { staff } = market(args);
  return { ...(await loadList(args, goodsList, staffGoodsList)), canTakeDown: staffCan(staff, 'goods.review') };
}

const VIEWS = [
  { name: '出售中', query: 'status=2' },
  { name: '审核中', query: 'status=1' },
  { name: '交易中', query: 'status=4' },
  { name: '今天发布', query: 'createTime=today' },
] as const;

const read = rowsOf(staffGoodsList);

function Status({ goods }: { goods: StaffListing }) {
  const tone =
    goods.status === GoodsStatus.OnSale ? 'safe' : goods.status === GoodsStatus.Rejected ? 'danger' : undefined;
  return <Tag {...(tone && { tone })}>{goods.statusName}</Tag>;
}

const cells: CellViews<StaffListing> = {
  goodsSn: (g) => <CopyButton text={g.goodsSn} label="商品编号" />,
  bigTitle: (g) => (
    <span className="list-goods">
      <span className="line-clamp-1">{g.bigTitle}</span>
      <span className="line-clamp-1 text-12 text-ink-3">
        <TypeTag typeId={g.typeId} name={g.typeName} className="mr-1.5" />
        {g.gameName}
      </span>
    </span>
  ),
  price: (g) => <Amount yuan={g.price} className="font-semibold" />,
  statusName: (g) => (
    <>
      <Status goods={g} />
      {g.note && g.status === GoodsStatus.Rejected && (
        <span className="block max-w-56 truncate text-12 text-ink-3" title={g.note}>
          {g.note}
        </span>
      )}
    </>
  ),
};

/** States from which a listing can be taken down. */
const SHOWN: readonly number[] = [GoodsStatus.OnSale, GoodsStatus.OffSale, GoodsStatus.Hidden];
const REASONS = ['涉嫌盗号或来历不明', '标题或图片与商品不符', '含有联系方式或广告', '价格明显异常'] as const;

const takeDownActions: readonly BulkAction<StaffListing>[] = [
  {
    key: 'takeDown',
    name: '下架',
    danger: true,
    fits: ({ status }) => SHOWN.includes(status),
    otherwise: '不在出售',
    question: '商品从搜索和店铺里消失，卖家会收到原因，修改后可以重新提交审核。交易中的商品不受影响。',
    form: (
      <Field label="原因，卖家会看到" required>
        {(control) => (
          <>
            <Textarea {...control} name="reason" rows={3} maxLength={200} required />
            <span className="text-12 text-ink-3">例如：{REASONS.join('；')}</span>
          </>
        )}
      </Field>
    ),
    run: (goodsSns, field) =>
      call(staffTakeDown, { goodsSns: [...goodsSns], reason: field('reason') }, { quiet: true }),
  },
];

function Card({ goods }: { goods: StaffListing }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="line-clamp-1 font-medium">{goods.bigTitle}</b>
        <Amount yuan={goods.price} className="ml-auto flex-none font-semibold" />
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <Status goods={goods} />
        <span className="line-clamp-1">
          {goods.gameName}，{goods.sellerName}
        </span>
        <span className="ml-auto flex-none">{shortAt(goods.createTime)}</span>
      </span>
    </>
  );
}

/** All listings visible to the caller, by number, title or seller, with take-down. */
export default function ListingsPage() {
  const { canTakeDown, ...data } = useLoaderData<typeof loader>();
  const games = data.first.games.map(({ gameId, name }) => [String(gameId), name] as const);
  const filters = { ...goodsList.filters, gameId: { ...goodsList.filters.gameId, options: games } };
  const { revalidate } = useRevalidator();
  const [leaving, setLeaving] = useState<StaffListing | null>(null);
  const mayLeave = (goods: StaffListing) => canTakeDown && SHOWN.includes(goods.status);
  return (
    <>
      <ListPage
        list={{ ...goodsList, filters }}
        data={data}
        load={read}
        builtIn={VIEWS}
        views={cells}
        card={(goods) => <Card goods={goods} />}
        bulkActions={canTakeDown ? takeDownActions : []}
        drawer={(goods, controls) => (
          <ListingDrawer
            row={goods}
            controls={controls}
            onTakeDown={mayLeave(goods) ? () => setLeaving(goods) : undefined}
          />
        )}
        empty="去掉一个筛选，或核对商品编号。"
      />
      {leaving && (
        <ReasonDialog
          title="下架商品"
          action="下架"
          danger
          question={`${leaving.bigTitle} 从搜索和店铺里消失，卖家会收到原因，修改后可以重新提交审核。`}
          reasons={REASONS}
          reasonLabel="原因，卖家会看到"
          isReasonNeeded
          send={async (reason) => {
            const { refused } = await call(staffTakeDown, { goodsSns: [leaving.goodsSn], reason }, { quiet: true });
            const [no] = refused;
            toast(no ? no.text : '已下架', no ? 'warn' : 'ok');
          }}
          onDone={() => {
            setLeaving(null);
            void revalidate();
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  );
}
