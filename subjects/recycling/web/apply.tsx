import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { recycleApply, recycleFloor } from '#subjects/recycling/contract/account-recycling.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { grouped } from '#web/lib/format/format.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import { AttrFieldControl, isWideOnPhones } from '#subjects/games/web/parts/attrs/attr-field.tsx';
import { FieldsInParts } from '#subjects/games/web/parts/attrs/optional-fields.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { Price } from '#web/ui/price.tsx';
import { CutTable, FloorCard, Recent, SellSelf, Steps } from './recycle-parts.tsx';
import type { FloorResult, RecycleData } from './recycle-loader.ts';

const WAIT_MS = 450;

/** Validates the entered details by the rules of the catalogue; required fields count when it is sent. */
function problems(data: RecycleData, details: Record<string, unknown>, isSent: boolean): Record<string, string> {
  const fields = isSent ? data.fields : data.fields.map((f) => ({ ...f, required: false }));
  return Object.fromEntries([...checkAttrs(fields, details).errors].map(([key, text]) => [`details.${key}`, text]));
}

type Place = { areaId: string; serverId: string };

/** Area and server of the account, where its game has them. */
function Place({
  areas,
  at: { areaId, serverId },
  wrong,
  onChange,
}: {
  areas: RecycleData['areas'];
  at: Place;
  wrong: FormErrors;
  onChange: (region: Place) => void;
}) {
  const servers = areas.find((a) => String(a.specialId) === areaId)?.secondOptions ?? [];
  return (
    <>
      {areas.length > 0 && (
        <Field label="大区" required error={wrong.areaId}>
          {(attrs) => (
            <Select
              {...attrs}
              value={areaId}
              onChange={(event) => onChange({ areaId: event.target.value, serverId: '' })}
            >
              <option value="">请选择</option>
              {areas.map((a) => (
                <option key={a.specialId} value={a.specialId}>
                  {a.specialName}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {servers.length > 0 && (
        <Field label="服务器" required error={wrong.serverId}>
          {(attrs) => (
            <Select
              {...attrs}
              value={serverId}
              onChange={(event) => onChange({ areaId, serverId: event.target.value })}
            >
              <option value="">请选择</option>
              {servers.map((s) => (
                <option key={s.twoSpecialId} value={s.twoSpecialId}>
                  {s.twoSpecialName}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </>
  );
}

/** The game's own fields: the required ones, and the others behind a button. */
function AccountFields({
  fields,
  values,
  wrong,
  onChange,
}: {
  fields: RecycleData['fields'];
  values: Readonly<Record<string, unknown>>;
  wrong: FormErrors;
  onChange: (key: string, value: unknown) => void;
}) {
  return (
    <FieldsInParts
      fields={fields}
      values={values}
      hasError={(key) => wrong[`details.${key}`] !== undefined}
      className="val-wide"
    >
      {(part) =>
        part.map((field) => (
          <div key={field.key} className={isWideOnPhones({ ...field, help: undefined }) ? 'val-wide' : undefined}>
            <AttrFieldControl
              field={{ ...field, help: undefined }}
              value={values[field.key]}
              error={wrong[`details.${field.key}`]}
              onChange={(value) => onChange(field.key, value)}
            />
          </div>
        ))
      }
    </FieldsInParts>
  );
}

const howItGoes = ({ bidSeconds, bindSeconds, takeOverSeconds }: RecycleData['terms']) => [
  ['填信息', '边填边给出平台保底价，扣了什么、为什么扣，一行一行写明。'],
  ['匿名竞价', `${spanText(bidSeconds)}里回收商各出各的价，互相看不到；每一口价都已托管全款。`],
  ['接受报价', `最高价 ${spanText(bindSeconds)}内有效，对方不能反悔；不满意可以不卖，不收费。`],
  ['交付验号', '账号密码密封提交，只有验号员能打开；对不上只按公布的表减价，减完仍可免费取回。'],
  [
    '到账',
    `验号通过就付款，回收商改好密码即可提现，最迟 ${spanText(takeOverSeconds)}；平台收下的由平台接管后到账，到时没有接管转客服；不收手续费。`,
  ],
];

/** The steps after the form, shown while nothing is entered. */
function HowItGoes({ terms }: Pick<RecycleData, 'terms'>) {
  return (
    <section className="panel" aria-labelledby="how">
      <div className="panel-head">
        <h2 id="how">怎么回收</h2>
        <p>填上账号情况，这里马上给出保底报价</p>
      </div>
      <ol className="grid gap-4 p-4">
        {howItGoes(terms).map(([name, text], i) => (
          <li key={name} className="flex gap-3 text-13">
            <i className="rec-number">{i + 1}</i>
            <span className="min-w-0">
              <b className="block font-semibold">{name}</b>
              <span className="text-ink-2">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The floor for the current input, next to the form. */
function Quote({
  floor,
  gameId,
  recent,
  terms,
}: {
  floor: FloorResult | null;
  gameId: number;
} & Pick<RecycleData, 'recent' | 'terms'>) {
  return (
    <div className="val-results">
      {/* On a phone the explanation below names the same steps. */}
      <section className={cx('panel px-4 py-3', !floor && 'max-md:hidden')}>
        <Steps status="" />
      </section>
      {floor ? (
        <>
          <FloorCard
            floor={floor.floor}
            none={`${floor.noFloor}${floor.samples > 0 ? `（已有 ${grouped(floor.samples)} 件成交）` : ''}`}
          />
          <SellSelf sellNet={floor.sellNet} price={floor.floor?.floor ?? null} gameId={gameId} />
          <CutTable cuts={floor.cuts} />
        </>
      ) : (
        <>
          <HowItGoes terms={terms} />
          {/* Replaced by the floor and the content above it, so that nothing shifts when the first figure appears. */}
          <Recent list={recent} />
        </>
      )}
    </div>
  );
}

/** On phones the floor stays in sight while the form is filled in; its calculation is below the form. */
function FloorNow({ floor }: { floor: FloorResult | null }) {
  return (
    <p className="flex items-baseline gap-2 text-13 text-ink-2 md:hidden" aria-live="polite">
      {floor === null ? (
        '填好必填项，这里马上给出平台保底价'
      ) : floor.floor === null ? (
        '成交太少，不给保底，只开竞价'
      ) : (
        <>
          平台保底
          <Price yuan={floor.floor.floor} />
          <a href="#floor" className="link ml-auto">
            看怎么算的
          </a>
        </>
      )}
    </p>
  );
}

/** The form's button, or the step required first: log-in or real-name verification. */
function Foot({
  data,
  floor,
  busy,
  problem,
}: {
  data: RecycleData;
  floor: FloorResult | null;
  busy: boolean;
  problem: Message | undefined;
}) {
  return (
    <div className="rec-acts border-t border-line-soft p-4 max-md:py-2">
      {problem ? <FormError>{problem}</FormError> : <FloorNow floor={floor} />}
      {data.login !== null ? (
        <ButtonLink kind="primary" to={data.login}>
          登录后开始竞价
        </ButtonLink>
      ) : data.isVerified ? (
        <Button type="submit" kind="primary" disabled={busy}>
          让回收商竞价 {spanText(data.terms.bidSeconds)}
        </Button>
      ) : (
        <ButtonLink kind="primary" to="/center/myself/identityAuthentication?returnUrl=%2Frecycle">
          先实名，再竞价
        </ButtonLink>
      )}
      <p className="text-12 text-ink-3 max-md:hidden">竞价开始后信息锁定，各家看到的都一样；不满意可以不卖。</p>
    </div>
  );
}

/** The form with the floor next to it, which is updated with the input. */
export function ApplyPage({ data }: { data: RecycleData }) {
  const navigate = useNavigate();
  const { game, games, fields, areas } = data;
  const [details, setDetails] = useState<Record<string, unknown>>({ ...data.details });
  const [{ areaId, serverId }, setPlace] = useState({
    areaId: data.areaId === null ? '' : String(data.areaId),
    serverId: '',
  });
  const servers = areas.find((a) => String(a.specialId) === areaId)?.secondOptions ?? [];
  const [accountNo, setAccount] = useState('');
  const [floor, setFloor] = useState<FloorResult | null>(data.floor);
  const account = { gameId: game.id, details, ...(areaId && { areaId }), ...(serverId && { serverId }) };
  const names = ['accountNo', 'areaId', 'serverId', ...fields.map((f) => `details.${f.key}`)];
  const quote = useMutation(recycleFloor, { fields: names });
  const apply = useMutation(recycleApply, {
    fields: names,
    intent: `recycle:${game.id}`,
    check: (input) => ({
      ...problems(data, details, true),
      areaId: areas.length > 0 && areaId === '' ? '请选择大区' : undefined,
      serverId: servers.length > 0 && serverId === '' ? '请选择服务器' : undefined,
      accountNo: input.accountNo === '' ? '请填写游戏账号（用于防止同一账号重复回收）' : undefined,
    }),
    done: async ({ requestSn }) => {
      await navigate(`/recycle?sn=${requestSn}`);
      return true;
    },
  });
  const lastRequest = useRef(JSON.stringify(account));
  const text = JSON.stringify(account);
  const ask = useEffectEvent(async () => {
    lastRequest.current = text;
    if (Object.keys(problems(data, details, false)).length > 0) return;
    const next = await quote.send(account);
    if (next) setFloor(next);
  });
  const isQuoting = quote.busy;
  useEffect(() => {
    if (isQuoting || lastRequest.current === text) return undefined;
    const timer = setTimeout(() => void ask(), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text, isQuoting]);
  const { errors, form, busy } = apply;
  const wrong = { ...errors, ...quote.errors, ...problems(data, details, false) };
  return (
    <div className="val-page rec-page">
      <form className="panel" ref={form} onSubmit={apply.submit(() => ({ ...account, accountNo: accountNo.trim() }))}>
        <div className="panel-head max-md:sr-only">
          <h1 className="text-16 font-semibold">账号回收</h1>
          <p>填全了保底更高</p>
        </div>
        <div className="val-fields">
          <Field label="游戏" required>
            {(attrs) => (
              <Select
                {...attrs}
                value={String(game.id)}
                onChange={(event) =>
                  void navigate(`/recycle?gameId=${event.target.value}`, { preventScrollReset: true })
                }
              >
                {games.map((g) => (
                  <option key={g.id} value={g.id}>
                    {g.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Place areas={areas} at={{ areaId, serverId }} wrong={wrong} onChange={setPlace} />
          <div className="val-wide">
            <Field
              label="游戏账号"
              required
              error={wrong.accountNo}
              help="登录用的账号，只存指纹和打码后的首尾；成交后密封提交同一个账号，密码到时再填"
            >
              {(attrs) => (
                <Input
                  {...attrs}
                  value={accountNo}
                  maxLength={60}
                  autoComplete="off"
                  onChange={(event) => setAccount(event.target.value)}
                />
              )}
            </Field>
          </div>
          <AccountFields
            fields={fields}
            values={details}
            wrong={wrong}
            onChange={(key, value) => setDetails((before) => ({ ...before, [key]: value }))}
          />
        </div>
        <Foot data={data} floor={floor} busy={busy} problem={errors.send} />
      </form>
      <Quote floor={floor} gameId={game.id} recent={data.recent} terms={data.terms} />
    </div>
  );
}
