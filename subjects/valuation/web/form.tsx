import { useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { AttrFieldControl, isWide } from '#subjects/games/web/parts/attrs/attr-field.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import type { Live } from './use-live.ts';
import type { ValuationData } from './valuation-loader.ts';

const ACCOUNT_INFO = '/specilPage/createAccountInfo';

/** Fields that are shown first; the others make the price more precise. */
const FIRST = 7;

/** Two buttons fit next to another field; more buttons, or a help text below them, need the full width. */
const needsRoom = ({ kind, options, help }: ValuationData['fields'][number]): boolean =>
  (kind === 'single' && (options?.length ?? 0) > 2 && (options?.length ?? 0) <= 10) ||
  (kind !== 'range' && help !== undefined);

/** The account as entered. Every field may be omitted; a change updates the price immediately. */
export function AccountForm({ data, live }: { data: ValuationData; live: Live }) {
  const { form, errors, ...typed } = live;
  const navigate = useNavigate();
  const id = useId();
  const { game, games, areas, fields } = data;
  const important = fields.filter((f) => f.inCard || f.required);
  const first = (important.length > 0 ? important : fields).slice(0, FIRST);
  const rest = fields.filter((f) => !first.includes(f));
  const filled = rest.filter(({ key }) => typed.details[key] !== undefined && typed.details[key] !== '').length;
  const control = (field: (typeof fields)[number]) => (
    <div key={field.key} className={isWide(field) || needsRoom(field) ? 'val-wide' : undefined}>
      <AttrFieldControl
        field={field.kind === 'range' ? { ...field, help: undefined, required: true } : { ...field, required: true }}
        value={typed.details[field.key]}
        error={errors[`details.${field.key}`]}
        onChange={(value) => typed.change({ [field.key]: value })}
      />
    </div>
  );
  return (
    <form className="panel" ref={form} onSubmit={(event) => event.preventDefault()} aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>账号情况</h2>
        <p>填得越多越准，不需要账号密码</p>
      </div>
      <div className="val-fields">
        <Field label="游戏" required>
          {(attrs) => (
            <Select
              {...attrs}
              value={String(game.id)}
              onChange={(event) =>
                void navigate(`${data.path}?gameId=${event.target.value}`, { preventScrollReset: true })
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
        {areas.length > 0 && (
          <Field label="大区" required error={errors.areaId}>
            {(attrs) => (
              <Select {...attrs} value={typed.areaId} onChange={(event) => typed.setArea(event.target.value)}>
                <option value="">不限</option>
                {areas.map((a) => (
                  <option key={a.id} value={a.id}>
                    {a.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {first.map(control)}
      </div>
      {rest.length > 0 && (
        <details className="val-more">
          <summary>
            再填几项更准<span>{filled > 0 ? `已填 ${filled} / ${rest.length} 项` : `${rest.length} 项`}</span>
          </summary>
          <div className="val-fields">{rest.map(control)}</div>
        </details>
      )}
      {data.path !== ACCOUNT_INFO && (
        <p className="border-t border-line-soft px-4 py-3 text-12 text-ink-3">
          要发给客服或买家看？
          <Link to={`${ACCOUNT_INFO}?gameId=${game.id}`} className="link hit">
            生成账号信息
          </Link>
        </p>
      )}
    </form>
  );
}
