import { CircleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { getShopQuickCoinInfo, shopQuickCoinApply } from '#contract/quick-coin.ts';
import { call, newIdempotencyKey } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { type Errors, errorsBy, textsOf } from '#web/parts/coin/form-words.ts';
import { EvidenceBox, type Evidence } from '#web/parts/order/evidence-box.tsx';
import { fullAt } from '#web/parts/order/times.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, useFocusFirstError } from '#web/ui/field.tsx';
import { Checkbox, Input, Textarea } from '#web/ui/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '申请开店', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: ask, user } = market(args);
  return { ...(await ask(getShopQuickCoinInfo, {})), isVerified: user?.authStatus === 2 };
}

type Shop = NonNullable<Data<typeof getShopQuickCoinInfo>['shop']>;
type Games = Data<typeof getShopQuickCoinInfo>['coinGames'];

const LABELS = { name: '名称', intro: '介绍', contact: '联系方式', games: '游戏' };

/** Where the application stands, and what is to be done next. */
function Standing({ shop }: { shop: Shop }) {
  if (shop.status === 'reviewing')
    return (
      <EmptyState title="申请审核中">
        {fullAt(shop.createTime)} 提交，通常 1 个工作日内有结果。通过后在「店铺管理」发布报价。
      </EmptyState>
    );
  if (shop.status === 'suspended')
    return <EmptyState title="店铺已被暂停">{shop.reviewNote ?? '请联系客服了解原因。'}</EmptyState>;
  return (
    <EmptyState
      title={`「${shop.name}」已开通`}
      action={
        <>
          <ButtonLink to="/center/myshop/shopmanage" kind="primary">
            管理店铺
          </ButtonLink>
          {shop.deposit.level === 0 && <ButtonLink to="/center/myself/depositWithdraw">缴纳保证金</ButtonLink>}
        </>
      }
    >
      {shop.deposit.level > 0 ? (
        `保证金等级：${shop.deposit.levelName}，最多同时 ${shop.maxOnSaleNum} 个报价。`
      ) : (
        <>
          缴纳保证金 <Amount yuan={shop.deposit.required ?? '0.00'} /> 后即可发布报价。
        </>
      )}
    </EmptyState>
  );
}

function Apply({ shop, games }: { shop: Shop | null; games: Games }) {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [chosen, setChosen] = useState<readonly number[]>(shop?.games.map((g) => g.gameId) ?? []);
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const form = useFocusFirstError(errors);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong: Errors = {
      ...(text('name').length < 2 && { name: '店铺名称至少 2 个字' }),
      ...(text('contact').length < 5 && { contact: '请填写能联系到您的 QQ、微信或手机号' }),
      ...(chosen.length === 0 && { games: '请至少选择一个游戏' }),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      const body = {
        name: text('name'),
        intro: text('intro'),
        contact: text('contact'),
        gameIds: [...chosen],
        pictures: pictures.map(({ key }) => key),
      };
      await call(shopQuickCoinApply, body, { idempotencyKey: newIdempotencyKey(), quiet: true });
      toast('申请已提交，请等待审核', 'ok');
      await revalidate();
    } catch (thrown) {
      setErrors(errorsBy(thrown, LABELS));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} noValidate className="grid max-w-140 gap-4 p-4" onSubmit={(event) => void submit(event)}>
      {shop?.status === 'refused' && (
        <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn" role="status">
          上次申请未通过：{shop.reviewNote}。修改后可重新提交。
        </p>
      )}
      <Field label="店铺名称" required error={errors.name} help="2 到 24 个字，买家可见。">
        {(control) => <Input {...control} name="name" maxLength={24} defaultValue={shop?.name ?? ''} />}
      </Field>
      <fieldset className="field">
        <legend>经营的游戏</legend>
        <div className="grid grid-cols-2 gap-2 md:grid-cols-3">
          {games.map(({ gameId, name, unit }) => (
            <Checkbox
              key={gameId}
              checked={chosen.includes(gameId)}
              aria-invalid={errors.games ? true : undefined}
              onChange={(event) =>
                setChosen(event.target.checked ? [...chosen, gameId] : chosen.filter((id) => id !== gameId))
              }
            >
              {name} <span className="text-ink-3">{unit}</span>
            </Checkbox>
          ))}
        </div>
        {errors.games && (
          <p className="field-error" role="alert">
            <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
            {errors.games}
          </p>
        )}
      </fieldset>
      <Field label="介绍" error={errors.intro} help="货源、在线时间、发货速度；不要留联系方式。">
        {(control) => <Textarea {...control} name="intro" maxLength={500} rows={3} defaultValue={shop?.intro ?? ''} />}
      </Field>
      <Field label="联系方式" required error={errors.contact} help="加密保存，只有审核人员能看到。">
        {(control) => <Input {...control} name="contact" maxLength={40} autoComplete="off" />}
      </Field>
      <div className="field">
        <span className="field-label">
          经营凭证<span className="ml-1 font-normal text-ink-3">选填</span>
        </span>
        <EvidenceBox pictures={pictures} onChange={(change) => setPictures(change)} />
      </div>
      {errors.send && (
        <p className="field-error" role="alert">
          <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
          {errors.send}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          提交申请
        </Button>
        <p className="text-12 text-ink-3">审核通过并缴纳保证金后可发布报价，保证金可申请退还。</p>
      </div>
    </form>
  );
}

/** Applying for a coin shop; who has applied sees where it stands. */
export default function JoinShop() {
  const { shop, coinGames, isVerified } = useLoaderData<typeof loader>();
  const mayApply = shop === null || shop.status === 'refused' || shop.status === 'left';
  return (
    <section className="panel" aria-labelledby="join">
      <div className="panel-head">
        <h1 id="join" className="text-16 font-semibold">
          申请开店
        </h1>
        <p className="max-md:hidden">极速金币店铺：按份卖游戏币，货款由平台托管</p>
      </div>
      {!mayApply ? (
        <Standing shop={shop} />
      ) : isVerified ? (
        <Apply shop={shop} games={coinGames} />
      ) : (
        <EmptyState
          title="先完成实名认证"
          action={
            <ButtonLink
              kind="primary"
              to="/center/myself/identityAuthentication?returnUrl=%2Fcenter%2Fmyshop%2Fjoinshop"
            >
              去实名认证
            </ButtonLink>
          }
        >
          开店需要已成年的实名用户。
        </EmptyState>
      )}
    </section>
  );
}
