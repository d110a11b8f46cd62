import {
  advertFault,
  advertPositionNames,
  advertPositions,
  type AdvertPosition,
  pictureKeyOf,
} from '#subjects/distributors/contract/brand-content.ts';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import { useId, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { addAdvert, decideAdvert, staffAdvertList } from '#subjects/content/contract/staff-content.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { PictureField } from '#subjects/back-office/staff/parts/picture-field.tsx';
import { SiteSelect } from '#subjects/back-office/staff/parts/form/site-select.tsx';
import { FilterBar, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { OtherPerson } from '#subjects/back-office/staff/parts/other-person.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '广告', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const query = { status: args.url.searchParams.get('status') || undefined, pageSize: 30 };
  return { first: await market(args).call(staffAdvertList, query), query };
}

type Advert = Data<typeof staffAdvertList>['list'][number];

const STATUS = ['待复核', '展示中', '已撤下'] as const;
const TONES = [{ tone: 'attn' }, { tone: 'safe' }, {}] as const;
const POSITIONS = advertPositions.map((key) => [key, advertPositionNames[key]] as const);

function Row({ advert, onDone }: { advert: Advert; onDone: () => void }) {
  const { busy, error, send } = useMutation(decideAdvert, {
    done: () => {
      toast('已通过，开始展示', 'ok');
      onDone();
    },
  });
  const [isAsking, setAsking] = useState(false);
  const { status } = advert;
  const offLabel = status === PublicationStatus.Draft ? '驳回' : '撤下';
  return (
    <tr>
      <td data-wide="">
        <span className="font-medium">{advert.title}</span>
        {advert.remind && <Tag className="ml-1.5">先提醒</Tag>}
        {advert.picture && (
          <img
            src={`${advert.picture}?w=320`}
            width={120}
            height={36}
            alt=""
            loading="lazy"
            className="my-1 block h-9 w-30 rounded-tag object-cover"
          />
        )}
        <span className="block text-12 break-all text-ink-3">{advert.htUrl}</span>
      </td>
      <td className="whitespace-nowrap">
        {POSITIONS.find(([key]) => key === advert.position)?.[1] ?? advert.position}
        <span className="block text-12 text-ink-3">
          {advert.gameName || '全部游戏'} · {advert.device === 1 ? '手机' : '电脑'}
        </span>
      </td>
      <td className="whitespace-nowrap">{advert.distName}</td>
      <td>
        <Tag {...TONES[status]}>{STATUS[status]}</Tag>
      </td>
      <td className="whitespace-nowrap">
        {advert.createdBy ?? '系统'}
        {advert.approvedBy && <span className="block text-12 text-ink-3">{advert.approvedBy}复核</span>}
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3" data-label="到期">
        {advert.endTime ? fullAt(advert.endTime) : '长期'}
        <span className="block">{fullAt(advert.startTime)} 起</span>
      </td>
      <td className="num">
        <span className="inline-flex gap-2">
          {status === PublicationStatus.Draft && (
            <Button
              size="sm"
              kind="primary"
              busy={busy}
              disabled={advert.isMine}
              onClick={() => void send({ id: advert.id, act: 'approve' })}
            >
              通过
            </Button>
          )}
          {status !== PublicationStatus.Withdrawn && (
            <Button size="sm" kind="ghost" disabled={busy} onClick={() => setAsking(true)}>
              {offLabel}
            </Button>
          )}
        </span>
        {status === PublicationStatus.Draft && <OtherPerson isMine={advert.isMine} label="您已提交" />}
        <FormError className="row-error">{error}</FormError>
        {isAsking && (
          <ConfirmDialog
            title={`${offLabel}「${advert.title}」`}
            action={offLabel}
            danger
            question={`${offLabel}后不再展示，也不能恢复；要再展示就新建一条。`}
            send={(_, options) => call(decideAdvert, { id: advert.id, act: 'off' }, options)}
            onDone={() => {
              setAsking(false);
              toast(`已${offLabel}`, 'ok');
              onDone();
            }}
            onClose={() => setAsking(false)}
          />
        )}
      </td>
    </tr>
  );
}

const FIELDS = [
  'distId',
  'position',
  'pictureKey',
  'gameId',
  'device',
  'title',
  'smalltitle',
  'htUrl',
  'days',
  'startTime',
  'sort',
];

const EMPTY = {
  distId: '',
  position: 'game_top' as AdvertPosition,
  pictureKey: '',
  gameId: '',
  device: '0',
  title: '',
  smalltitle: '',
  htUrl: '',
  remind: false,
  days: '30',
  startTime: '',
  sort: '0',
};

/** All missing fields, so that they are reported together; the server checks the rest. */
const wrongWith = ({ position, pictureKey, gameId, title, htUrl, days, sort }: typeof EMPTY) => {
  const fault = advertFault({
    position,
    pictureKey: pictureKey || undefined,
    gameId: gameId === '' ? undefined : Number(gameId),
  });
  return {
    ...(fault && { [fault.field]: fault.text }),
    title: title.trim().length < 2 ? '标题至少 2 个字' : undefined,
    htUrl: htUrl.trim() === '' ? '链接不能为空' : undefined,
    days: /^[1-9]\d*$/.test(days.trim()) ? undefined : '天数应为 1 到 365 的整数',
    sort: /^\d+$/.test(sort.trim()) ? undefined : '排序应为 0 到 999 的整数',
  };
};

type TextName = 'title' | 'smalltitle' | 'htUrl' | 'days' | 'startTime' | 'sort';

function AddDialog({
  sites,
  games,
  onDone,
  onClose,
}: {
  sites: readonly { distId: number; name: string }[];
  games: readonly { gameId: number; name: string }[];
  onDone: () => void;
  onClose: () => void;
}) {
  const [form, setForm] = useState(EMPTY);
  const {
    busy,
    error,
    errors,
    submit,
    form: ref,
  } = useMutation(addAdvert, {
    fields: FIELDS,
    check: () => wrongWith(form),
    done: () => {
      toast('已提交，等待另一位同事复核', 'ok');
      onDone();
    },
  });
  const formId = useId();
  const set = (change: Partial<typeof EMPTY>) => setForm({ ...form, ...change });
  const textField = (label: string, name: TextName, max: number, required: boolean, help?: string) => (
    <Field label={label} required={required} help={help} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          type={name === 'startTime' ? 'datetime-local' : 'text'}
          maxLength={max}
          value={form[name]}
          onChange={(e) => set({ [name]: e.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Dialog
      title="新建广告"
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          提交复核
        </FormFooter>
      }
    >
      <form id={formId} ref={ref} noValidate className="grid gap-3" onSubmit={submit(() => form)}>
        {textField('标题', 'title', 60, true)}
        {textField('短标题', 'smalltitle', 12, false)}
        {textField('链接', 'htUrl', 300, true, '本站地址以 / 开头，站外以 https:// 开头')}
        <div className="grid grid-cols-2 gap-3">
          <Field label="位置" required error={errors.position}>
            {(control) => (
              <Select
                {...control}
                value={form.position}
                onChange={(e) => set({ position: e.target.value as AdvertPosition })}
              >
                {POSITIONS.map(([key, name]) => (
                  <option key={key} value={key}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="设备" required>
            {(control) => (
              <Select {...control} value={form.device} onChange={(e) => set({ device: e.target.value })}>
                <option value="0">电脑</option>
                <option value="1">手机</option>
              </Select>
            )}
          </Field>
          <Field label="游戏" required error={errors.gameId}>
            {(control) => (
              <Select {...control} value={form.gameId} onChange={(e) => set({ gameId: e.target.value })}>
                <option value="">全部游戏</option>
                {games.map(({ gameId, name }) => (
                  <option key={gameId} value={gameId}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {textField('展示天数', 'days', 3, true)}
          {textField('从何时起', 'startTime', 20, false, '北京时间；留空就在通过后')}
          {textField('排序', 'sort', 3, true, '小的在前')}
        </div>
        <PictureField
          label="图片"
          help="首页横幅必填，建议 1200 × 360；其他位置选填"
          url={form.pictureKey && `/img/${form.pictureKey}`}
          error={errors.pictureKey}
          onChange={(url) => set({ pictureKey: pictureKeyOf(url) ?? '' })}
        />
        <SiteSelect sites={sites} value={form.distId} error={errors.distId} onChange={(distId) => set({ distId })} />
        <Checkbox checked={form.remind} onChange={(e) => set({ remind: e.target.checked })}>
          打开前显示 5 秒提醒
        </Checkbox>
        <FormError>{error}</FormError>
      </form>
    </Dialog>
  );
}

/** Adverts of the sites. An advert with a link is approved by a second person before it is shown. */
export default function AdminAdvertsPage() {
  const { first, query } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [adding, setAdding] = useState(false);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffAdvertList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <>
      <div className="admin-head">
        <h1>广告</h1>
        <p>{countText(first.total, first.totalCapped ?? false)} 条</p>
        <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
          <FilterBar names={['status']}>
            <FilterSelect name="status" label="状态" all="全部状态" options={STATUS.map((name, n) => [n, name])} />
          </FilterBar>
          <Button size="sm" kind="primary" onClick={() => setAdding(true)}>
            新建广告
          </Button>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="广告">
        {items.length === 0 ? (
          <EmptyState title="没有符合条件的广告" />
        ) : (
          <>
            <AdminTable columns={['内容', '位置', '站点', '状态', '提交与复核', '到期', { num: '操作' }]}>
              {items.map((advert) => (
                <Row key={advert.id} advert={advert} onDone={() => void revalidate()} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {adding && (
        <AddDialog
          sites={first.sites}
          games={first.games}
          onDone={() => {
            setAdding(false);
            void revalidate();
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
