import { CircleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  type MetaFunction,
  useLoaderData,
  useNavigate,
  useRevalidator,
} from 'react-router';
import { gameList } from '#contract/common.ts';
import type { Data } from '#contract/endpoint.ts';
import { answerMiddleman, middlemanFee, middlemanInfo, middlemanList, openMiddleman } from '#contract/middleman.ts';
import { feeOf, rateText } from '#contract/rules/fee.ts';
import { call, newIdempotencyKey } from '#web/lib/api.ts';
import { market, marketContext, optional } from '#web/lib/context.ts';
import { fenOf, yuanOf } from '#web/lib/format.ts';
import { loginPath } from '#web/lib/paths.ts';
import { pageMeta } from '#web/lib/site.ts';
import { type Errors, errorsBy, textsOf } from '#web/parts/coin/form-words.ts';
import { attempt } from '#web/parts/order/attempt.ts';
import { asFailure, failureWords } from '#web/parts/order/failures.ts';
import { fullAt } from '#web/parts/order/times.ts';
import { Breadcrumb } from '#web/ui/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Field, useFocusFirstError } from '#web/ui/field.tsx';
import { Input, Radio, Select, Textarea } from '#web/ui/input.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/toast-store.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { call: ask, user } = market(args);
  const query = args.url.searchParams;
  const [dealSn, code] = [query.get('dealSn'), query.get('code')];
  const [fee, games, own, deal] = await Promise.all([
    ask(middlemanFee, {}),
    ask(gameList, {}),
    user ? optional(ask(middlemanList, { pageSize: 10 })) : null,
    dealSn ? attempt(args.context.get(marketContext).call(middlemanInfo, { dealSn, ...(code && { code }) })) : null,
  ]);
  return {
    fee,
    games: games.list.map(({ id, name }) => ({ id, name })),
    own: own?.list ?? [],
    deal,
    code,
    origin: args.url.origin,
    login: user ? null : loginPath(args.url),
    isVerified: user?.authStatus === 2,
  };
}

type PageData = Awaited<ReturnType<typeof loader>>;
type Deal = Data<typeof middlemanInfo>;

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: '担保中介',
    description: '双方已谈好的交易，货款由平台托管：一方发起，另一方凭链接接受，收货确认后才放款',
    noindex: args.loaderData?.deal !== null,
  });

const SIDES = [
  ['half', '双方各半'],
  ['buyer', '买家承担'],
  ['seller', '卖家承担'],
] as const;

const LABELS = { title: '交易内容', description: '约定', price: '价格', feeSide: '手续费' };

/** What each side pays and gets at a price, while it is being typed. */
function Sums({ fee, price, side }: { fee: PageData['fee']; price: string; side: string }) {
  const fen = fenOf(price);
  if (fen < 100) return <p className="text-12 text-ink-3">填好价格后显示双方金额。</p>;
  const all = Math.min(feeOf(fen, fee.bp, { minFen: fenOf(fee.minimum), maxFen: fenOf(fee.maximum) }), fen);
  const buyer = side === 'buyer' ? all : side === 'seller' ? 0 : Math.ceil(all / 2);
  return (
    <p className="flex flex-wrap gap-x-6 text-13" aria-live="polite">
      <span>
        手续费 <Amount yuan={yuanOf(all)} />
      </span>
      <span>
        买家付 <Amount yuan={yuanOf(fen + buyer)} />
      </span>
      <span>
        卖家到手 <Amount yuan={yuanOf(fen - (all - buyer))} />
      </span>
    </p>
  );
}

function OpenForm({ data }: { data: PageData }) {
  const navigate = useNavigate();
  const [price, setPrice] = useState('');
  const [side, setSide] = useState<'half' | 'buyer' | 'seller'>('half');
  const [belong, setBelong] = useState<0 | 1>(0);
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const form = useFocusFirstError(errors);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong: Errors = {
      ...(text('title').length < 4 && { title: '交易内容至少 4 个字' }),
      ...(!/^(0|[1-9]\d{0,5})(\.\d{1,2})?$/.test(price.trim()) || fenOf(price.trim()) < 100
        ? { price: '价格应为不低于 1 元的金额，最多两位小数' }
        : {}),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      const body = {
        belong,
        title: text('title'),
        description: text('description'),
        gameId: text('gameId'),
        price: price.trim(),
        feeSide: side,
      };
      const { path } = await call(openMiddleman, body, { idempotencyKey: newIdempotencyKey(), quiet: true });
      toast('已发起，把链接发给对方', 'ok');
      await navigate(path);
    } catch (thrown) {
      setErrors(errorsBy(thrown, LABELS));
      setBusy(false);
    }
  };
  return (
    <form ref={form} noValidate className="grid gap-4 p-4" onSubmit={(event) => void submit(event)}>
      <fieldset className="field">
        <legend>您是</legend>
        <span className="flex gap-6">
          <Radio name="belong" checked={belong === 0} onChange={() => setBelong(0)}>
            卖家
          </Radio>
          <Radio name="belong" checked={belong === 1} onChange={() => setBelong(1)}>
            买家
          </Radio>
        </span>
      </fieldset>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="交易内容" required error={errors.title} help="例如：王者荣耀 V8 账号，含典藏皮肤 2 款。">
          {(control) => <Input {...control} name="title" maxLength={60} />}
        </Field>
        <Field label="游戏">
          {(control) => (
            <Select {...control} name="gameId">
              <option value="">其他或不限</option>
              {data.games.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="价格（元）" required error={errors.price} help="双方谈好的价格。">
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={price}
              onChange={(event) => setPrice(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="手续费由谁承担"
          required
          error={errors.feeSide}
          help={`价格的 ${rateText(data.fee.bp)}，${data.fee.minimum} 到 ${data.fee.maximum} 元`}
        >
          {(control) => (
            <Select
              {...control}
              value={side}
              onChange={(event) => setSide(SIDES.find(([v]) => v === event.target.value)?.[0] ?? 'half')}
            >
              {SIDES.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field
        label="双方约定"
        error={errors.description}
        help="交付方式、时限、换绑内容等；有争议时以此为准。不要写账号密码。"
      >
        {(control) => <Textarea {...control} name="description" maxLength={500} rows={3} />}
      </Field>
      <Sums fee={data.fee} price={price.trim()} side={side} />
      {errors.send && (
        <p className="field-error" role="alert">
          <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
          {errors.send}
        </p>
      )}
      <Button type="submit" kind="primary" size="lg" busy={busy} className="justify-self-start max-md:w-full">
        发起并生成链接
      </Button>
    </form>
  );
}

/** What a viewer may do with a deal, in its place. */
function DealActs({ deal, data }: { deal: Deal; data: PageData }) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const answer = async (act: 'accept' | 'refuse' | 'withdraw') => {
    setBusy(true);
    setRefusal(null);
    try {
      const body = { dealSn: deal.dealSn, act, ...(data.code && { code: data.code }) };
      const { orderSn } = await call(answerMiddleman, body, { idempotencyKey: newIdempotencyKey(), quiet: true });
      if (orderSn === null) await revalidate();
      else
        await navigate(
          deal.openerBelong === 0
            ? `/goods/${deal.dealSn}/pay?orderSn=${orderSn}`
            : `/center/buyOrderDetail?orderSn=${orderSn}`,
        );
    } catch (thrown) {
      setRefusal(failureWords(asFailure(thrown)));
    } finally {
      setBusy(false);
    }
  };
  const { path } = deal;
  return (
    <div className="flex flex-wrap gap-2 border-t border-line-soft px-4 py-3.5">
      {deal.orderSn && (
        <ButtonLink to={`/center/buyOrderDetail?orderSn=${deal.orderSn}`} kind="primary">
          看订单
        </ButtonLink>
      )}
      {path && (
        <>
          <Button kind="primary" onClick={() => void copyText(`${data.origin}${path}`)}>
            复制链接发给对方
          </Button>
          <Button busy={busy} onClick={() => void answer('withdraw')}>
            撤回
          </Button>
        </>
      )}
      {deal.status === 'waiting' &&
        deal.viewer === 'visitor' &&
        (data.login ? (
          <ButtonLink to={data.login} kind="primary">
            登录后接受
          </ButtonLink>
        ) : data.isVerified ? (
          <>
            <Button kind="primary" busy={busy} onClick={() => void answer('accept')}>
              {deal.openerBelong === 0 ? '接受并去付款' : '接受交易'}
            </Button>
            <Button busy={busy} onClick={() => void answer('refuse')}>
              拒绝
            </Button>
          </>
        ) : (
          <ButtonLink to="/center/myself/identityAuthentication" kind="primary">
            先完成实名认证
          </ButtonLink>
        ))}
      {refusal && (
        <p className="field-error w-full" role="alert">
          <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
          {refusal}
        </p>
      )}
    </div>
  );
}

function DealPanel({ deal, data }: { deal: Deal; data: PageData }) {
  const [buyer, seller] =
    deal.openerBelong === 1 ? [deal.openerName, deal.partnerName] : [deal.partnerName, deal.openerName];
  const facts: [string, string][] = [
    ['买家', buyer ?? '等待接受'],
    ['卖家', seller ?? '等待接受'],
    ['买家付', `¥${deal.buyerPays}`],
    ['卖家到手', `¥${deal.sellerGets}`],
    ['手续费', `¥${deal.fee}，${deal.feeSideName}`],
    [
      deal.status === 'waiting' ? '有效至' : '发起于',
      fullAt(deal.status === 'waiting' ? deal.expireTime : deal.createTime),
    ],
  ];
  return (
    <section className="panel max-md:mt-3" aria-labelledby="deal">
      <div className="panel-head">
        <h1 id="deal" className="text-16 font-semibold">
          担保交易
        </h1>
        <Tag {...(deal.status === 'ordered' ? { tone: 'safe' as const } : { tone: 'attn' as const })}>
          {deal.statusName}
        </Tag>
        <p>{deal.dealSn}</p>
      </div>
      <div className="px-4 py-4">
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <b className="text-16 font-semibold">
            {deal.gameName && `${deal.gameName} `}
            {deal.title}
          </b>
          <Price yuan={deal.price} size="lg" />
        </p>
        {deal.description && (
          <p className="mt-2 max-w-180 text-13 whitespace-pre-line text-ink-2">{deal.description}</p>
        )}
        <dl className="mt-4 grid grid-cols-2 gap-3 text-13 md:grid-cols-3">
          {facts.map(([label, value]) => (
            <div key={label} className="grid gap-0.5">
              <dt className="text-12 text-ink-3">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <DealActs deal={deal} data={data} />
    </section>
  );
}

function Own({ list }: { list: readonly Deal[] }) {
  if (list.length === 0) return null;
  return (
    <section className="panel mt-4" aria-labelledby="own-deals">
      <div className="panel-head">
        <h2 id="own-deals">我的担保交易</h2>
      </div>
      <ul>
        {list.map((deal) => (
          <li key={deal.dealSn} className="deal-row">
            <span className="min-w-0">
              <Link to={`/intermediary/intermediary?dealSn=${deal.dealSn}`} className="block truncate hover:text-link">
                {deal.title}
              </Link>
              <span className="text-12 text-ink-3">{fullAt(deal.createTime)}</span>
            </span>
            <Tag className="justify-self-start max-md:hidden">{deal.statusName}</Tag>
            <Price yuan={deal.price} className="justify-self-end" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The middleman: two people who already agreed; one opens, the other accepts by the link, then it is an order like any other. */
export default function Middleman() {
  const data = useLoaderData<typeof loader>();
  const { deal, login, isVerified } = data;
  return (
    <div className="mx-auto max-w-220">
      <div className="max-md:hidden">
        <Breadcrumb
          items={[
            { label: '首页', to: '/' },
            { label: '担保中介', ...(deal && { to: '/intermediary/intermediary' }) },
            ...(deal ? [{ label: '交易详情' }] : []),
          ]}
        />
      </div>
      {deal?.ok ? (
        <DealPanel key={deal.data.dealSn} deal={deal.data} data={data} />
      ) : (
        <section className="panel max-md:mt-3" aria-labelledby="middleman">
          <div className="panel-head">
            <h1 id="middleman" className="text-16 font-semibold">
              担保中介
            </h1>
            <p className="max-md:hidden">双方已谈好，钱由平台托管，收货确认后放款</p>
          </div>
          {deal && (
            <p
              className="mx-4 mt-4 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn"
              role="alert"
            >
              {deal.msg}
            </p>
          )}
          {login ? (
            <EmptyState
              title="登录后发起担保交易"
              action={
                <ButtonLink to={login} kind="primary">
                  去登录
                </ButtonLink>
              }
            >
              填好内容和价格，生成链接发给对方；对方接受后付款到平台托管，{data.fee.answerHours} 小时内有效。
            </EmptyState>
          ) : isVerified ? (
            <OpenForm data={data} />
          ) : (
            <EmptyState
              title="先完成实名认证"
              action={
                <ButtonLink
                  kind="primary"
                  to="/center/myself/identityAuthentication?returnUrl=%2Fintermediary%2Fintermediary"
                >
                  去实名认证
                </ButtonLink>
              }
            >
              担保交易需要双方都是已成年的实名用户。
            </EmptyState>
          )}
        </section>
      )}
      {!deal && <Own list={data.own} />}
    </div>
  );
}
