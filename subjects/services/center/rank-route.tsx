import { useState } from 'react';
import type { getBoosterInfo } from '#subjects/services/contract/booster.ts';
import type { Data } from '#contract/endpoint.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';

type Info = Data<typeof getBoosterInfo>;
type Package = NonNullable<Info['booster']>['packages'][number];
type Ranks = Info['serviceGames'][number]['ranks'];

/** The ranks that a package of boosting leads from and to, in a game that has any. */
export function RankRoute({ ranks, route, errors }: { ranks: Ranks; route: Package['route']; errors: FormErrors }) {
  const [from, setFrom] = useState(route ? String(route.from) : '');
  const low = ranks.findIndex(({ value }) => String(value) === from);
  const options = (list: typeof ranks) =>
    list.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label="从哪个段位" error={errors.rankFrom} help="选了段位，买家可以并排比较">
        {(control) => (
          <Select {...control} name="rankFrom" value={from} onChange={({ target }) => setFrom(target.value)}>
            <option value="">不按段位</option>
            {options(ranks.slice(0, -1))}
          </Select>
        )}
      </Field>
      <Field label="打到哪个段位" error={errors.rankTo}>
        {(control) => (
          <Select
            key={from}
            {...control}
            name="rankTo"
            disabled={from === ''}
            defaultValue={route && String(route.from) === from ? route.to : ''}
          >
            <option value="">请选择</option>
            {options(ranks.slice(low + 1))}
          </Select>
        )}
      </Field>
    </div>
  );
}
