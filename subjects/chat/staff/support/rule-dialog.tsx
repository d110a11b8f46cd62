import { useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { type AssignmentRule, saveRule, type serviceSetup } from '#subjects/chat/contract/im-support.ts';
import { orderTypeNames } from '#subjects/orders/rules/order-types.ts';
import { call } from '#web/lib/api/api.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select } from '#web/ui/forms/input.tsx';
import { FormDialog } from './forms/form-dialog.tsx';

type Setup = Data<typeof serviceSetup>;

const MAX_YUAN = 10_000_000;
const MAX_SORT = 999;

interface Draft {
  name: string;
  sort: string;
  gameId: string;
  minYuan: string;
  maxYuan: string;
  orderTypes: readonly number[];
  staffIds: readonly number[];
  keepSame: boolean;
}

const draftOf = (rule: AssignmentRule | null): Draft => ({
  name: rule?.name ?? '',
  sort: String(rule?.sort ?? 0),
  gameId: rule?.gameId === null || rule === null ? '' : String(rule.gameId),
  minYuan: rule && Number(rule.minPrice) > 0 ? String(Number(rule.minPrice)) : '',
  maxYuan: rule?.maxPrice ? String(Number(rule.maxPrice)) : '',
  orderTypes: rule?.orderTypes ?? [],
  staffIds: rule?.staffIds ?? [],
  keepSame: rule?.keepSame ?? true,
});

const isWhole = (typed: string, max: number): boolean => /^\d{0,8}$/.test(typed) && Number(typed) <= max;

/** Missing or invalid fields; an empty amount means no limit. */
function errorsIn({ name, sort, minYuan, maxYuan }: Draft): FormErrors {
  const yuan = (typed: string) => (isWhole(typed, MAX_YUAN) ? undefined : '请填写整数的金额，不超过 10,000,000 元');
  const isCrossed = minYuan !== '' && maxYuan !== '' && Number(maxYuan) <= Number(minYuan);
  return {
    name: name.trim() === '' ? '请填写规则名称' : undefined,
    sort: isWhole(sort, MAX_SORT) ? undefined : `请填写 0 到 ${MAX_SORT} 的整数`,
    minYuan: yuan(minYuan),
    maxYuan: yuan(maxYuan) ?? (isCrossed ? '要高于最低实付' : undefined),
  };
}

const toggled = (list: readonly number[], one: number): readonly number[] =>
  list.includes(one) ? list.filter((n) => n !== one) : [...list, one];

/** The orders of the rule, and the staff who take them. */
function Choices({
  draft,
  setup,
  onChange: set,
}: {
  draft: Draft;
  setup: Setup;
  onChange: (change: Partial<Draft>) => void;
}) {
  return (
    <>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
        <legend className="mb-1 text-13 text-ink-2">订单类型（都不选为全部）</legend>
        {Object.entries(orderTypeNames).map(([type, name]) => (
          <Checkbox
            key={type}
            checked={draft.orderTypes.includes(Number(type))}
            onChange={() => set({ orderTypes: toggled(draft.orderTypes, Number(type)) })}
          >
            {name}
          </Checkbox>
        ))}
      </fieldset>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
        <legend className="mb-1 text-13 text-ink-2">由谁接待（都不选为全部客服）</legend>
        {setup.staff.map((one) => (
          <Checkbox
            key={one.staffId}
            checked={draft.staffIds.includes(one.staffId)}
            onChange={() => set({ staffIds: toggled(draft.staffIds, one.staffId) })}
          >
            {one.name}
          </Checkbox>
        ))}
      </fieldset>
      <Checkbox checked={draft.keepSame} onChange={(e) => set({ keepSame: e.target.checked })}>
        优先由接待过这位买家的客服负责
      </Checkbox>
    </>
  );
}

/** Editor of a routing rule: which orders go to which agents. An empty field matches everything. */
export function RuleDialog({
  rule,
  setup,
  onClose,
  onDone,
}: {
  rule: AssignmentRule | null;
  setup: Setup;
  onClose: () => void;
  onDone: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(rule));
  const set = (change: Partial<Draft>) => setDraft((was) => ({ ...was, ...change }));
  const send = () =>
    call(
      saveRule,
      {
        ...(rule && { id: rule.id }),
        name: draft.name.trim(),
        sort: draft.sort || '0',
        keepSame: draft.keepSame,
        orderTypes: JSON.stringify(draft.orderTypes),
        staffIds: JSON.stringify(draft.staffIds),
        ...(draft.gameId !== '' && { gameId: draft.gameId }),
        ...(draft.minYuan !== '' && { minYuan: draft.minYuan }),
        ...(draft.maxYuan !== '' && { maxYuan: draft.maxYuan }),
      },
      { quiet: true },
    );
  return (
    <FormDialog
      title={rule ? '修改规则' : '新建规则'}
      fields={['name', 'sort', 'minYuan', 'maxYuan']}
      check={() => errorsIn(draft)}
      send={send}
      onDone={onDone}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="名称" required error={errors.name}>
            {(control) => (
              <Input {...control} value={draft.name} maxLength={30} onChange={(e) => set({ name: e.target.value })} />
            )}
          </Field>
          <div className="grid grid-cols-2 gap-3">
            <Field label="顺序" help="数字小的先看" required error={errors.sort}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  value={draft.sort}
                  onChange={(e) => set({ sort: e.target.value })}
                />
              )}
            </Field>
            <Field label="游戏">
              {(control) => (
                <Select {...control} value={draft.gameId} onChange={(e) => set({ gameId: e.target.value })}>
                  <option value="">全部游戏</option>
                  {setup.games.map((game) => (
                    <option key={game.id} value={game.id}>
                      {game.name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="最低实付（元）" error={errors.minYuan}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  value={draft.minYuan}
                  onChange={(e) => set({ minYuan: e.target.value })}
                />
              )}
            </Field>
            <Field label="低于（元）" error={errors.maxYuan}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="numeric"
                  value={draft.maxYuan}
                  onChange={(e) => set({ maxYuan: e.target.value })}
                />
              )}
            </Field>
          </div>
          <Choices draft={draft} setup={setup} onChange={set} />
        </>
      )}
    </FormDialog>
  );
}
