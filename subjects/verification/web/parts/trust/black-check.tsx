import { useState } from 'react';
import { Link } from 'react-router';
import { accountIdMessages, type BlacklistOutcome, blacklistOutcomeText } from '../../../rules/account-ids.ts';
import { blackCheck } from '#subjects/verification/contract/verification.ts';
import { call } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useRequest } from './use-request.ts';
import { Outcome } from './outcome.tsx';

const TONES = { 0: 'unknown', 1: 'bad', 2: 'good' } as const;
const RESULT_TEXTS: Readonly<Record<number, string>> = { 0: '没有回应', 1: '有记录', 2: '无记录' } satisfies Record<
  BlacklistOutcome,
  string
>;

/** Is this a known fraudulent account: checks our own list, and the external one (product.md 4 and 8). */
export function BlackCheck() {
  const [value, setValue] = useState('');
  const { response, error, busy, submit } = useRequest(
    async () => await call(blackCheck, { content: value.trim() }, { quiet: true }),
  );
  const outcome = (response?.result ?? 0) as BlacklistOutcome;
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => void submit(event, value.trim() ? null : accountIdMessages.black)}
    >
      <Field label="QQ、微信、手机号、支付宝或游戏账号" required error={error}>
        {(control) => (
          <Input
            {...control}
            value={value}
            maxLength={60}
            autoComplete="off"
            placeholder="输入完整账号，按原样查询"
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <div role="status" aria-live="polite">
        {response && (
          <Outcome tone={TONES[outcome]} text={blacklistOutcomeText(outcome)}>
            {response.list.map((item) => (
              <p key={item.blackSn}>
                <Link to={`/black/${item.blackSn}`} className="link">
                  {item.title}
                </Link>
                <span className="ml-2 text-ink-3">{item.reasonName}</span>
              </p>
            ))}
            <p className="text-12 text-ink-3">
              {response.sources.map(({ name, result }) => `${name}：${RESULT_TEXTS[result] ?? ''}`).join('　')}
            </p>
          </Outcome>
        )}
      </div>
      <Button type="submit" kind="primary" size="lg" busy={busy}>
        查询
      </Button>
    </form>
  );
}
