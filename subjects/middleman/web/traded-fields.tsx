import { useEffect, useState } from 'react';
import { crossList } from '#subjects/games/contract/games.ts';
import { NO_GOODS_TYPE, accountTypes } from '#contract/rules/catalogue.ts';
import { SELLS } from '#contract/rules/parties.ts';
import { call } from '#web/lib/api/api.ts';
import type { Area } from '#subjects/games/web/parts/games/catalogue.ts';
import type { FormErrors, Message } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import type { PageData } from './middleman-loader.ts';

/** The number of the account that a seller hands over: prevents a second sale, and is never displayed. */
export function AccountField({ error }: { error?: Message | undefined }) {
  return (
    <Field
      label="游戏账号"
      required
      error={error}
      help="登录用的账号（QQ 号、手机号、邮箱等），交付时密封提交的账号要与它一致。只保存加密指纹和打码后的首尾，对方看不到。"
    >
      {(control) => <Input {...control} name="accountNo" autoComplete="off" spellCheck={false} maxLength={64} />}
    </Field>
  );
}

/** Areas and servers of the selected game. */
function useAreas(gameId: string): readonly Area[] {
  const [state, setState] = useState<{ gameId: string; areas: readonly Area[] }>({ gameId: '', areas: [] });
  useEffect(() => {
    if (gameId === '') return;
    const controller = new AbortController();
    call(crossList, { gameId }, { quiet: true, signal: controller.signal }).then(
      ({ list }) => setState({ gameId, areas: list }),
      () => undefined,
    );
    return () => controller.abort();
  }, [gameId]);
  return state.gameId === gameId ? state.areas : [];
}

/** The subject of the deal: game and type; for an account also its server and, from the seller, its number. */
export function TradedFields({
  games,
  belong,
  errors,
}: {
  games: PageData['games'];
  belong: number;
  errors: FormErrors;
}) {
  const [gameId, setGameId] = useState('');
  const [typeId, setTypeId] = useState(String(NO_GOODS_TYPE));
  const game = games.find(({ id }) => String(id) === gameId);
  const isAccount = accountTypes.includes(Number(typeId));
  const areas = useAreas(isAccount ? gameId : '').filter((area) => area.secondOptions.length > 0);
  return (
    <>
      {/* The number of an account is asked for once a game and its type are chosen. */}
      <Field label="游戏" required={isAccount} error={errors.gameId ?? (isAccount ? undefined : errors.accountNo)}>
        {(control) => (
          <Select
            {...control}
            name="gameId"
            value={gameId}
            onChange={(event) => {
              setGameId(event.target.value);
              setTypeId('0');
            }}
          >
            <option value="">与游戏无关</option>
            {games.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="商品类型"
        required={game !== undefined}
        error={errors.goodsTypeId}
        help={game ? '请选对类型：成交后按该游戏这一类型的步骤交付。' : '出售游戏里的账号、道具和金币，请先选择游戏。'}
      >
        {(control) => (
          <Select {...control} name="goodsTypeId" value={typeId} onChange={(event) => setTypeId(event.target.value)}>
            <option value="0">{game ? '请选择' : '与游戏无关'}</option>
            {(game?.goodsTypes ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isAccount && areas.length > 0 && (
        <Field label="服务器" required error={errors.serverId}>
          {(control) => (
            <Select {...control} name="serverId" defaultValue="">
              <option value="">请选择</option>
              {areas.map((area) => (
                <optgroup key={area.specialId} label={area.specialName}>
                  {area.secondOptions.map(({ twoSpecialId, twoSpecialName }) => (
                    <option key={twoSpecialId} value={twoSpecialId}>
                      {area.specialName} / {twoSpecialName}
                    </option>
                  ))}
                </optgroup>
              ))}
            </Select>
          )}
        </Field>
      )}
      {isAccount && belong === SELLS && <AccountField error={errors.accountNo} />}
    </>
  );
}
