import { useState } from 'react';
import type { StaffSetting } from '#subjects/settings/contract/staff-settings.ts';
import { isTierKey, newTier, tierKey, tierSpec } from '../../rules/setting-tiers.ts';
import { typedSetting } from '../../rules/settings.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { SettingForm } from './setting-form.tsx';

const blank = (key: string, needsSecond: boolean): StaffSetting => ({
  key,
  name: '',
  values: {},
  version: 0,
  changedBy: null,
  changeTime: '',
  reason: '',
  needsSecond,
  planned: null,
  draft: null,
});

/** A new tier: first its code, then its terms in the same form as the others. */
export function NewTier({
  usedCodes,
  needsSecond,
  onDone,
}: {
  usedCodes: readonly string[];
  needsSecond: boolean;
  onDone: () => void;
}) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const begin = () => {
    const wanted = tierKey(code.trim());
    if (!isTierKey(wanted)) setProblem('2 到 20 个小写字母或下划线');
    else if (usedCodes.includes(wanted)) setProblem('已有这个代码的档位');
    else setKey(wanted);
  };
  const close = () => {
    setKey(null);
    setCode('');
  };
  if (key !== null) {
    const spec = tierSpec(key);
    return (
      <section className="panel overflow-hidden" aria-label="新建档位">
        <h2 className="px-4 py-3 text-16 font-semibold">新建档位 {code}</h2>
        <SettingForm
          spec={spec}
          item={blank(key, needsSecond)}
          start={typedSetting(spec, newTier)}
          reasonStart="新建档位"
          onDone={() => {
            close();
            onDone();
          }}
          onClose={close}
        />
      </section>
    );
  }
  return (
    <form
      className="panel flex flex-wrap items-start gap-3 px-4 py-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <Field label="新档位的代码" required help="只供内部区分，建好后不能改" error={problem}>
        {(control) => (
          <Input
            {...control}
            className="max-w-60"
            autoComplete="off"
            placeholder="vip"
            value={code}
            onChange={(event) => {
              setCode(event.target.value);
              setProblem(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" className="mt-6">
        新建档位
      </Button>
    </form>
  );
}
