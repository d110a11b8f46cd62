import { SlidersHorizontal, X } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { Input } from '#contract/endpoint.ts';
import { releaseWantGoods } from '#subjects/offers/contract/offers.ts';
import { amountError, isPrice } from '#contract/rules/amounts.ts';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { call } from '#web/lib/api/api.ts';
import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input as TextInput, Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { saveDraft, readDraft, type WantDraft } from './want-draft.ts';
import type { WantFormData, WantsData } from './want-loader.ts';
import { WANT_PATH } from './want-query.ts';

interface Named {
  id: number;
  name: string;
}

/** A native select that navigates to the form's URL with another choice; dependent choices are reset. */
function RegionSelect({
  label,
  value,
  options,
  any,
  error,
  onChoose,
}: {
  label: string;
  value: number | null;
  options: readonly Named[];
  /** Label of the empty choice; absent where one is required. */
  any?: string;
  error?: Message | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <Field label={label} required={any === undefined} error={error}>
      {(control) => (
        <Select {...control} value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
          <option value="">{any ?? '请选择'}</option>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function RegionFields({
  form,
  errors,
  onChosen,
}: {
  form: WantFormData;
  errors: FormErrors;
  onChosen: (query: string) => void;
}) {
  const navigate = useNavigate();
  const { state, choices, games, editSn } = form;
  const go = (changes: Readonly<Record<string, string | null>>) => {
    const query = new URLSearchParams({ [editSn ? 'edit' : 'new']: editSn ?? '1' });
    const before = { gid: state.gid, gt: state.gt, areaId: state.areaId, serverId: state.serverId };
    for (const [name, value] of Object.entries<string | number | null>({ ...before, ...changes }))
      if (value !== null && value !== '') query.set(name, String(value));
    onChosen(`?${query}`);
    void navigate(`${WANT_PATH}?${query}`, { replace: true, preventScrollReset: true });
  };
  return (
    <div className="grid gap-3 md:grid-cols-4">
      <RegionSelect
        label="游戏"
        value={state.gid}
        options={games}
        error={errors.game}
        onChoose={(gid) => go({ gid, gt: null, areaId: null, serverId: null })}
      />
      <RegionSelect
        label="商品类型"
        value={state.gt}
        options={choices.types}
        error={errors.type}
        onChoose={(gt) => go({ gt })}
      />
      {choices.areas.length > 0 && (
        <RegionSelect
          label="大区"
          value={state.areaId}
          options={choices.areas}
          any="不限"
          onChoose={(areaId) => go({ areaId, serverId: null })}
        />
      )}
      {choices.servers.length > 0 && (
        <RegionSelect
          label="服务器"
          value={state.serverId}
          options={choices.servers}
          any="不限"
          onChoose={(serverId) => go({ serverId })}
        />
      )}
    </div>
  );
}

/** The selected filters of the game, which are changed on its list. */
function Filters({ form }: { form: WantFormData }) {
  if (form.state.gid === null) return null;
  return (
    <div className="grid gap-1.5">
      <p className="text-13 font-medium">条件</p>
      <div className="flex flex-wrap items-center gap-2">
        {form.tags.map(({ label, without }) => (
          <Link
            key={label}
            to={without}
            replace
            preventScrollReset
            className="chosen-tag text-12"
            aria-label={`去掉 ${label}`}
          >
            {label}
            <X className="icon" aria-hidden="true" />
          </Link>
        ))}
        {form.tags.length === 0 && <span className="text-13 text-ink-3">不限，{form.names.game?.name}里都看</span>}
        <ButtonLink size="sm" to={form.listTo}>
          <SlidersHorizontal className="icon size-3.5" aria-hidden="true" />
          去列表里挑条件
        </ButtonLink>
      </div>
      <p className="text-12 text-ink-3">在列表里选好条件后点“发布求购”，会带着条件回到这里，已填的内容会留着。</p>
    </div>
  );
}

function problemsOf(
  form: WantFormData,
  draft: { bigTitle: string; budget: string; deposit: string },
): Record<string, string> {
  const { bigTitle, budget, deposit } = draft;
  return {
    ...(form.state.gid === null && { game: '请先选择游戏' }),
    ...(form.state.gid !== null && form.state.gt === null && { type: '请选择商品类型' }),
    ...([...bigTitle.trim()].length < 4 && { bigTitle: '请写清楚想要什么，至少 4 个字' }),
    ...(!isPrice(budget) && {
      budget: budget.trim() === '' ? '请填写预算' : (amountError(budget, '预算') ?? '预算应为正数，最多两位小数'),
    }),
    ...(isPrice(budget) && Number(budget) < 1 && { budget: '预算不能低于 1 元' }),
    ...(deposit !== '' &&
      !isPrice(deposit) && { deposit: amountError(deposit, '定金') ?? '定金应为正数，不付定金请留空' }),
  };
}

function startTitle(form: WantFormData): string {
  const { names, state, tags } = form;
  if (!names.game) return '';
  const type = state.gt === null ? '' : goodsTypeName(state.gt);
  return `求${names.game.name}${type} ${tags.map(({ label }) => label).join(' ')}`.trim().slice(0, 60);
}

/** Restores the input from before the page was left, with its region and filters. */
function useRestored(form: WantFormData, restore: (draft: Partial<WantDraft>) => void) {
  const navigate = useNavigate();
  const restored = useEffectEvent(() => {
    const draft = readDraft();
    if (!draft) return;
    restore(draft);
    const { query = '' } = draft;
    if (form.state.gid === null && new URLSearchParams(query).has('gid'))
      void navigate(`${WANT_PATH}${query}`, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (form.editSn) return undefined;
    // After hydration, because the server has no access to the tab's storage.
    const later = setTimeout(restored);
    return () => clearTimeout(later);
  }, [form.editSn]);
}

function useWantForm(form: WantFormData) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const [bigTitle, setTitle] = useState(form.want?.bigTitle ?? (form.title || startTitle(form)));
  const [budget, setBudget] = useState(form.want?.budget ?? form.state.max);
  const [deposit, setDeposit] = useState('');
  const [alert, setAlert] = useState(form.want?.alert ?? true);
  const mutation = useMutation(
    (body: Input<typeof releaseWantGoods>, options) =>
      withStepUp('pay', () => call(releaseWantGoods, body, options), !form.editSn && Number(deposit) > 0),
    {
      fields: { gameId: 'game', goodsTypeId: 'type', bigTitle: 'bigTitle', budget: 'budget', deposit: 'deposit' },
      intent: 'releaseWant',
      revalidates: true,
      done: async ({ matches }) => {
        saveDraft(null);
        toast(matches > 0 ? `已发布，现在就有 ${matches} 件符合` : '已发布，有合适的会提醒您', 'ok');
        await navigate(WANT_PATH);
      },
    },
  );
  const { errors, setErrors, busy } = mutation;
  useRestored(form, (draft) => {
    // The values in the URL are newer.
    if (draft.bigTitle && form.title === '') setTitle(draft.bigTitle);
    if (draft.budget) setBudget((now) => now || (draft.budget ?? ''));
    if (draft.deposit) setDeposit(draft.deposit);
    if (draft.alert !== undefined) setAlert(draft.alert);
  });
  const chosen = (query: string) => {
    setErrors({});
    if (!form.editSn) saveDraft({ bigTitle, budget, deposit, alert, query });
  };
  const typed = (change: Partial<Omit<WantDraft, 'query'>>) => {
    const next = { bigTitle, budget, deposit, alert, ...change };
    setTitle(next.bigTitle);
    setBudget(next.budget);
    setDeposit(next.deposit);
    setAlert(next.alert);
    setErrors({});
    if (!form.editSn) saveDraft({ ...next, query: search });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problems = problemsOf(form, { bigTitle, budget, deposit });
    const { gid, gt, areaId, serverId } = form.state;
    if (Object.keys(problems).length > 0 || gid === null || gt === null) return setErrors(problems);
    void mutation.send({
      ...(form.editSn && { wantSn: form.editSn }),
      gameId: gid,
      goodsTypeId: gt,
      ...(areaId !== null && { areaId }),
      ...(serverId !== null && { serverId }),
      bigTitle: bigTitle.trim(),
      details: form.details,
      budget,
      alert: alert ? '1' : '0',
      ...(deposit !== '' && { deposit }),
    });
  };
  return {
    bigTitle,
    budget,
    deposit,
    alert,
    ref: mutation.form,
    errors,
    busy,
    typed,
    chosen,
    submit,
  };
}

function DepositFields({ want }: { want: Omit<ReturnType<typeof useWantForm>, 'ref' | 'submit'> }) {
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Field
        label="诚意定金（元）"
        error={want.errors.deposit}
        help="从余额划出，提交时需要支付密码；关闭求购或买到后全额退回，不会被扣。"
      >
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            autoComplete="off"
            maxLength={9}
            value={want.deposit}
            onChange={(event) => want.typed({ deposit: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** Creates or edits a want: region, filters, budget, and who is notified. */
export function WantForm({ data, form }: { data: WantsData; form: WantFormData }) {
  const { ref, submit, ...want } = useWantForm(form);
  return (
    <section className="panel" aria-labelledby="want-form">
      <div className="panel-head">
        <h2 id="want-form" className="text-16 font-semibold">
          {form.editSn ? '修改求购' : '发布求购'}
        </h2>
        <p className="max-md:hidden">说清想要什么和预算，符合的新商品和降价会第一时间告诉您</p>
      </div>
      <form ref={ref} className="grid gap-4 p-4" noValidate onSubmit={submit}>
        <RegionFields form={form} errors={want.errors} onChosen={want.chosen} />
        <Filters form={form} />
        <div className="grid gap-3 md:grid-cols-[minmax(0,1fr)_220px]">
          <Field label="一句话说明" required error={want.errors.bigTitle} help="公开显示，请不要写联系方式">
            {(control) => (
              <>
                <TextInput
                  {...control}
                  maxLength={60}
                  value={want.bigTitle}
                  onChange={(event) => want.typed({ bigTitle: event.target.value })}
                />
                <ContactHint text={want.bigTitle} />
              </>
            )}
          </Field>
          <Field label="预算（元）" required error={want.errors.budget} help="按全包价比较，含买家服务费">
            {(control) => (
              <TextInput
                {...control}
                inputMode="decimal"
                autoComplete="off"
                maxLength={12}
                value={want.budget}
                onChange={(event) => want.typed({ budget: event.target.value })}
              />
            )}
          </Field>
        </div>
        {!form.editSn && <DepositFields want={want} />}
        <Checkbox checked={want.alert} onChange={(event) => want.typed({ alert: event.target.checked })}>
          有符合的新商品或降价时提醒我
        </Checkbox>
        <FormError>{want.errors.send}</FormError>
        {!data.isVerified && (
          <p className="text-13 text-attn">
            发布求购前需先
            <Link to="/center/myself/identityAuthentication" className="link">
              完成实名认证
            </Link>
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" busy={want.busy}>
            {form.editSn ? '保存修改' : '发布求购'}
          </Button>
          <ButtonLink to={WANT_PATH}>取消</ButtonLink>
        </div>
      </form>
    </section>
  );
}
