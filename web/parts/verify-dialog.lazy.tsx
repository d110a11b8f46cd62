import { type FormEvent, useState } from 'react';
import {
  type BlackVerdict,
  accountIdMessages,
  blackVerdictText,
  serviceKinds,
  serviceQueryProblem,
  serviceVerdictText,
} from '#contract/rules/account-ids.ts';
import { blackCheck, queryVerifyCustomer } from '#contract/verification.ts';
import { call } from '#web/lib/api.ts';
import { isApiFailure } from '#web/lib/api-failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Select } from '#web/ui/input.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

interface Verdict {
  text: string;
  good: boolean | null;
}

/** Asks one thing, keeps what was typed, and says the answer in words that a screen reader also tells. */
function useAsk(ask: () => Promise<Verdict>) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent, problem: string | null) => {
    event.preventDefault();
    setVerdict(null);
    setError(problem);
    if (problem) return;
    setBusy(true);
    try {
      setVerdict(await ask());
    } catch (thrown) {
      setError(isApiFailure(thrown) ? thrown.msg : '网络超时');
    } finally {
      setBusy(false);
    }
  };
  return { verdict, error, busy, submit };
}

function Answer({ verdict }: { verdict: Verdict | null }) {
  const tone =
    verdict?.good === true
      ? 'text-safe bg-safe-bg'
      : verdict?.good === false
        ? 'text-danger bg-danger-bg'
        : 'bg-sunken';
  return (
    <div role="status" aria-live="polite">
      {verdict && <p className={`rounded-control px-3 py-2 ${tone}`}>{verdict.text}</p>}
    </div>
  );
}

function ServiceCheck() {
  const [queryType, setQueryType] = useState(1);
  const [value, setValue] = useState('');
  const { verdict, error, busy, submit } = useAsk(async () => {
    const { isReal } = await call(queryVerifyCustomer, { queryType, queryValue: value.trim() }, { quiet: true });
    return { text: serviceVerdictText(value.trim(), isReal), good: isReal };
  });
  return (
    <form
      className="grid gap-3 pt-4"
      noValidate
      onSubmit={(event) => void submit(event, serviceQueryProblem(queryType, value.trim()))}
    >
      <Field label="号码类型" required>
        {(control) => (
          <Select {...control} value={queryType} onChange={(event) => setQueryType(Number(event.target.value))}>
            {serviceKinds.map((kind) => (
              <option key={kind.queryType} value={kind.queryType}>
                {kind.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="对方给您的号码" required error={error}>
        {(control) => (
          <Input
            {...control}
            value={value}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <Answer verdict={verdict} />
      <Button type="submit" kind="primary" busy={busy}>
        验证
      </Button>
    </form>
  );
}

function BlackCheck() {
  const [value, setValue] = useState('');
  const { verdict, error, busy, submit } = useAsk(async () => {
    const { result } = await call(blackCheck, { content: value.trim() }, { quiet: true });
    return { text: blackVerdictText(result as BlackVerdict), good: result === 2 ? true : result === 1 ? false : null };
  });
  return (
    <form
      className="grid gap-3 pt-4"
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
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <Answer verdict={verdict} />
      <Button type="submit" kind="primary" busy={busy}>
        查询
      </Button>
    </form>
  );
}

/** The verification dialog of the floating menu (product.md 2): is this really our service, and is this a known bad account. */
export default function VerifyDialog({ tab, onClose }: { tab: 'service' | 'black'; onClose: () => void }) {
  return (
    <Dialog title="验证" onClose={onClose}>
      <Tabs
        label="验证方式"
        initial={tab}
        items={[
          { key: 'service', label: '真假客服', content: <ServiceCheck /> },
          { key: 'black', label: '黑号查询', content: <BlackCheck /> },
        ]}
      />
    </Dialog>
  );
}
