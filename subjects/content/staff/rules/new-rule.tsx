import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ruleNoPattern } from '../../rules/public-texts.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

/** The number of a new rule; it cannot be changed later. */
export function NewRule({ usedKeys }: { usedKeys: readonly string[] }) {
  const [no, setNo] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  return (
    <form
      className="panel mb-3 flex flex-wrap items-start gap-3 px-4 py-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = no.trim();
        if (!ruleNoPattern.test(wanted)) setProblem('编号应为 3、3.2 或 3.2.1 这样的数字');
        else if (usedKeys.includes(wanted)) setProblem('这个编号已有规则，请在列表中打开它');
        else void navigate(`?key=rule:${wanted}`);
      }}
    >
      <Field label="新规则的编号" required help="发布后不能改，停用后也不给别的规则用" error={problem}>
        {(control) => (
          <Input
            {...control}
            className="max-w-60"
            autoComplete="off"
            placeholder="3.4"
            value={no}
            onChange={(event) => {
              setNo(event.target.value);
              setProblem(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" className="mt-6">
        新建规则
      </Button>
    </form>
  );
}
