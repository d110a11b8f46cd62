import { type ReactNode, useId } from 'react';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { offerLimits } from '../../rules/offer-limits.ts';
import type { OfferFees } from '../../rules/listing-states.ts';
import { grouped } from '#web/lib/format/format.ts';
import type { Area } from '#subjects/games/web/parts/games/catalogue.ts';
import { cx } from '#web/ui/class-names.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { RolePicker } from '#web/parts/role-picker.tsx';
import { Checkbox, Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { AttrFieldControl, isWide, isWideOnPhones } from '#subjects/games/web/parts/attrs/attr-field.tsx';
import { FieldsInParts } from '#subjects/games/web/parts/attrs/optional-fields.tsx';
import { coinRatio, generateTitle, type SellErrors, type SellForm, type Typed } from './form-state.ts';
import { DemandHint } from './demand-hint.tsx';
import { formMessage } from './form-messages.ts';
import { BandHint, NetLines } from './net-card.tsx';
import type { Opened } from './sell-loader.ts';
import { useBand } from './use-band.ts';

/** Props of every part of the form. */
export interface PartProps {
  form: SellForm;
  areas: readonly Area[];
  typed: Typed;
  errors: SellErrors;
  /** Changes some values and clears the errors of those fields. */
  set: (part: Partial<Typed>) => void;
}

/** One titled part of the form. */
export function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {note && <p>{note}</p>}
      </div>
      <div className="grid gap-5 p-4">{children}</div>
    </section>
  );
}

/** Area, server and, for an account, its number, which prevents a second listing. */
export function RegionPart({ form, areas, typed, errors, set, hasAccount }: PartProps & { hasAccount: boolean }) {
  const area = areas.find((a) => String(a.specialId) === typed.areaId);
  const servers = area?.secondOptions ?? [];
  const isAccount = accountTypes.includes(form.goodsTypeId);
  if (areas.length === 0 && !isAccount) return null;
  return (
    <Part title={isAccount ? '区服与账号' : '区服'}>
      {areas.length > 0 && (
        <RolePicker
          gameId={form.gameId}
          onPick={(card) =>
            set({
              areaId: card.areaId === null ? '' : String(card.areaId),
              serverId: card.serverId === null ? '' : String(card.serverId),
            })
          }
        />
      )}
      <div className="grid grid-cols-2 gap-x-4 gap-y-5">
        {areas.length > 0 && (
          <Field label="大区" required error={errors.areaId}>
            {(control) => (
              <Select
                {...control}
                value={typed.areaId}
                onChange={(event) => set({ areaId: event.target.value, serverId: '' })}
              >
                <option value="">请选择</option>
                {areas.map(({ specialId, specialName }) => (
                  <option key={specialId} value={specialId}>
                    {specialName}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {areas.length > 0 && (servers.length > 0 || !area) && (
          <Field label="服务器" required error={errors.serverId}>
            {(control) => (
              <Select
                {...control}
                disabled={!area}
                value={typed.serverId}
                onChange={(event) => set({ serverId: event.target.value })}
              >
                <option value="">{area ? '请选择' : '先选择大区'}</option>
                {servers.map(({ twoSpecialId, twoSpecialName }) => (
                  <option key={twoSpecialId} value={twoSpecialId}>
                    {twoSpecialName}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {isAccount && (
          <Field
            label="游戏账号"
            required={!hasAccount}
            error={errors.accountNo}
            help={
              hasAccount
                ? '已登记，留空表示不变。'
                : '登录用的账号（QQ 号、手机号、邮箱等），交付时密封提交的账号要与它一致。只保存加密指纹和打码后的首尾，买家看不到。'
            }
            className="col-span-2"
          >
            {(control) => (
              <Input
                {...control}
                className="md:max-w-96"
                autoComplete="off"
                spellCheck={false}
                maxLength={64}
                value={typed.accountNo}
                onChange={(event) => set({ accountNo: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </Part>
  );
}

/** The game's own fields: the required ones visible, the others behind a button with a count. */
export function AttrsPart({ form, typed, errors, set }: PartProps) {
  if (form.fields.length === 0) return null;
  return (
    <Part title="商品属性" note="填得越全，越容易被筛选到">
      <FieldsInParts
        fields={form.fields}
        values={typed.details}
        hasError={(key) => errors[`attr:${key}`] !== undefined}
      >
        {(fields) => (
          <div className="grid grid-cols-2 gap-x-4 gap-y-5">
            {fields.map((field) => (
              <div
                key={field.key}
                className={cx('min-w-0', isWide(field) ? 'col-span-2' : isWideOnPhones(field) && 'max-md:col-span-2')}
              >
                <AttrFieldControl
                  field={field}
                  value={typed.details[field.key]}
                  error={errors[`attr:${field.key}`]}
                  onChange={(value) => set({ details: { ...typed.details, [field.key]: value } })}
                />
              </div>
            ))}
          </div>
        )}
      </FieldsInParts>
    </Part>
  );
}

/** Title and description; contact details that will be masked are reported while typing. */
export function TextPart({ form, areas, typed, errors, set }: PartProps) {
  const generated = generateTitle(typed, form, areas);
  const messages = formMessage(form.goodsTypeId);
  return (
    <Part title="标题与描述">
      <Field
        label="标题"
        required
        error={errors.bigTitle}
        help={
          <span className="flex items-center justify-between gap-3">
            <span>
              {typed.bigTitle.length} / {offerLimits.titleMax} 字
            </span>
            {generated !== '' && generated !== typed.bigTitle && (
              <button type="button" className="link" onClick={() => set({ bigTitle: generated })}>
                用已填属性生成
              </button>
            )}
          </span>
        }
      >
        {(control) => (
          <div>
            <Input
              {...control}
              autoComplete="off"
              maxLength={offerLimits.titleMax}
              placeholder={messages.titleHint}
              value={typed.bigTitle}
              onChange={(event) => set({ bigTitle: event.target.value })}
            />
            <ContactHint text={typed.bigTitle} isReviewed />
          </div>
        )}
      </Field>
      <Field
        label="描述"
        error={errors.description}
        help={`${typed.description.length} / ${offerLimits.descriptionMax} 字。${messages.descriptionHelp}，能减少争议。`}
      >
        {(control) => (
          <div>
            <Textarea
              {...control}
              rows={5}
              maxLength={offerLimits.descriptionMax}
              value={typed.description}
              onChange={(event) => set({ description: event.target.value })}
            />
            <ContactHint text={typed.description} isReviewed />
          </div>
        )}
      </Field>
    </Part>
  );
}

/** Price, quantity and terms; on phones also the seller's proceeds, which wide screens show next to the form. */
export function PricePart({
  form,
  typed,
  errors,
  set,
  fees,
  holdHours,
  demand,
}: PartProps & { fees: OfferFees; holdHours: number; demand: Opened['demand'] }) {
  const isAccount = accountTypes.includes(form.goodsTypeId);
  const messages = formMessage(form.goodsTypeId);
  const band = useBand(form, typed);
  const ratio = coinRatio(typed, form);
  return (
    <Part title="价格与服务">
      <div className="grid gap-x-4 gap-y-5 md:grid-cols-2">
        <Field
          label={messages.price}
          required
          error={errors.price}
          help={form.newSellerText ?? `${grouped(form.minPrice)} 至 ${grouped(form.maxPrice)} 元，最多两位小数`}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              value={typed.price}
              onChange={(event) => set({ price: event.target.value })}
            />
          )}
        </Field>
        {messages.stock && (
          <Field label={messages.stock.label} required error={errors.stock} help={messages.stock.help}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                maxLength={6}
                value={typed.stock}
                onChange={(event) => set({ stock: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      {ratio && (
        <p className="text-13 text-ink-2" role="status">
          折合 {ratio}
        </p>
      )}
      {isAccount && <BandHint band={band} price={typed.price} />}
      <DemandHint demand={demand} />
      <div className="rounded-control bg-sunken p-3 lg:hidden">
        <NetLines price={typed.price} fees={fees} holdHours={holdHours} unit={!isAccount} netLabel={messages.net} />
      </div>
      <div className="grid gap-2">
        <Checkbox checked={typed.bargainOpen} onChange={(event) => set({ bargainOpen: event.target.checked })}>
          接受议价：买家可以出价，您同意后 24 小时内仅对方能以该价下单
        </Checkbox>
        {isAccount && (
          <Checkbox checked={typed.ensureOpen} onChange={(event) => set({ ensureOpen: event.target.checked })}>
            支持包赔：买家可自费购买找回包赔，您不另外付费
          </Checkbox>
        )}
      </div>
    </Part>
  );
}
