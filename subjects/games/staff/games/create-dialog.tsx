import { COMPUTER_GAME, MOBILE_GAME } from '#contract/rules/catalogue.ts';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { createGame, type StaffGame } from '#subjects/games/contract/staff-games.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio, Select } from '#web/ui/forms/input.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

/** A new game: its name and code, and another game from which its form and steps are copied. Everything else is set in its editor. */
export function CreateDialog({ games, onClose }: { games: readonly StaffGame[]; onClose: () => void }) {
  const navigate = useNavigate();
  const formId = useId();
  const [form, setForm] = useState({ name: '', code: '', gameType: String(MOBILE_GAME), like: '' });
  const create = useMutation(createGame, {
    fields: ['name', 'code', 'gameType', 'like'],
    check: ({ name, code }) => ({
      name: name.trim() === '' ? '请填写游戏名称' : undefined,
      code: /^[a-z][a-z0-9]{1,19}$/.test(code) ? undefined : '编码应为 2 到 20 位小写字母或数字，以字母开头',
    }),
    done: ({ gameId }) => {
      void navigate(`/backstage/games/${gameId}`);
      return true;
    },
  });
  const { busy, errors, error, submit, form: ref } = create;
  return (
    <Dialog
      title="新建游戏"
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          新建
        </FormFooter>
      }
    >
      <form ref={ref} id={formId} className="grid gap-3" noValidate onSubmit={submit(() => form)}>
        <p className="text-13 text-ink-2">先成为草稿，前台看不到；填好区服、表单和步骤，发布后才上线。</p>
        <Field label="游戏名称" required error={errors.name}>
          {(control) => (
            <Input
              {...control}
              maxLength={20}
              value={form.name}
              onChange={(e) => setForm({ ...form, name: e.target.value })}
            />
          )}
        </Field>
        <Field
          label="编码"
          required
          error={errors.code}
          help="小写字母和数字，例如拼音首字母；文件和网址靠它认游戏，发布后不能再改"
        >
          {(control) => (
            <Input
              {...control}
              maxLength={20}
              autoComplete="off"
              spellCheck={false}
              value={form.code}
              onChange={(e) => setForm({ ...form, code: e.target.value.toLowerCase() })}
            />
          )}
        </Field>
        <fieldset className="flex gap-6">
          <legend className="mb-1 text-13 font-medium">类型</legend>
          <Radio
            name="gameType"
            checked={form.gameType === String(MOBILE_GAME)}
            onChange={() => setForm({ ...form, gameType: String(MOBILE_GAME) })}
          >
            手游
          </Radio>
          <Radio
            name="gameType"
            checked={form.gameType === String(COMPUTER_GAME)}
            onChange={() => setForm({ ...form, gameType: String(COMPUTER_GAME) })}
          >
            端游
          </Radio>
        </fieldset>
        <Field label="照着哪个游戏" error={errors.like} help="抄它的商品类型、发布表单和步骤，抄完都可以改">
          {(control) => (
            <Select {...control} value={form.like} onChange={(e) => setForm({ ...form, like: e.target.value })}>
              <option value="">不照着，只带常用的账号步骤</option>
              {games
                .filter(({ state }) => state !== 'new')
                .map(({ gameId, name }) => (
                  <option key={gameId} value={gameId}>
                    {name}
                  </option>
                ))}
            </Select>
          )}
        </Field>
        <FormError>{error}</FormError>
      </form>
    </Dialog>
  );
}
