import { Plus, X } from 'lucide-react';
import { BLACK_ACCOUNTS_MAX, type BlackKind, blackKindNames } from '../../../rules/black.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';

/** A number of a blacklist entry, as typed. */
export interface BlackAccount {
  id: number;
  kind: BlackKind;
  value: string;
}

/** One empty row, the initial state of a form. */
export const firstBlackAccount = (): readonly BlackAccount[] => [{ id: 1, kind: 'qq', value: '' }];

/** Errors of the numbers, with the server's messages. */
export const accountsProblem = (accounts: readonly BlackAccount[]): string | undefined =>
  accounts.some(({ value }) => value.trim().length < 4) ? '账号至少 4 个字符' : undefined;

/** The fields for the numbers of a report or an entry: at least one. */
export function BlackAccounts({
  legend,
  accounts,
  error,
  onChange,
}: {
  legend: string;
  accounts: readonly BlackAccount[];
  error: Message | undefined;
  onChange: (accounts: readonly BlackAccount[]) => void;
}) {
  const change = (id: number, part: Partial<BlackAccount>) =>
    onChange(accounts.map((account) => (account.id === id ? { ...account, ...part } : account)));
  const [message, onEdit] = useMessage(error);
  return (
    <fieldset className="grid gap-2" onChange={onEdit}>
      <legend className="mb-1.5 text-13 font-medium">{legend}</legend>
      {accounts.map(({ id, kind, value }, index) => (
        <div key={id} className="flex gap-2">
          <Select
            aria-label={`账号 ${index + 1} 的类型`}
            value={kind}
            className="w-28! flex-none"
            onChange={(event) => change(id, { kind: event.target.value as BlackKind })}
          >
            {Object.entries(blackKindNames).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </Select>
          <Input
            aria-label={`账号 ${index + 1}`}
            aria-invalid={message && value.trim().length < 4 ? true : undefined}
            value={value}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => change(id, { value: event.target.value })}
          />
          {accounts.length > 1 && (
            <Button
              kind="ghost"
              icon
              aria-label={`移除账号 ${index + 1}`}
              className="flex-none"
              onClick={() => {
                onEdit();
                onChange(accounts.filter((account) => account.id !== id));
              }}
            >
              <X className="icon" aria-hidden="true" />
            </Button>
          )}
        </div>
      ))}
      <FormError>{message}</FormError>
      {accounts.length < BLACK_ACCOUNTS_MAX && (
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() =>
            onChange([...accounts, { id: Math.max(...accounts.map(({ id }) => id)) + 1, kind: 'wechat', value: '' }])
          }
        >
          <Plus className="icon" aria-hidden="true" />
          再加一个
        </Button>
      )}
      <p className="text-12 text-ink-3">只按不可逆的方式保存，公示时打码。</p>
    </fieldset>
  );
}
