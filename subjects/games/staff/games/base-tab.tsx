import { COMPUTER_GAME, MOBILE_GAME } from '#contract/rules/catalogue.ts';
import { ImagePlus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { uploadGameIcon } from '#subjects/media/contract/staff-uploads.ts';
import { motifChoices, motifOf } from '../../rules/game-motif.ts';
import { gameIconUrl } from '../../rules/game-icon.ts';
import { pictureError } from '#web/lib/media/picture-kinds.ts';
import { sendPicture } from '#web/lib/media/upload.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { pictureInput } from '#web/lib/media/picture-input.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Radio, Select } from '#web/ui/forms/input.tsx';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import { NumberField, TextField } from './inputs.tsx';
import type { GameForm } from './use-game-form.ts';

/** The icon: uploaded, or drawn from a character, a hue and a line drawing. */
function IconField({ form }: { form: GameForm }) {
  const { doc, errors, change } = form;
  const file = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const upload = useMutation((picked: File) => sendPicture(uploadGameIcon, '', picked), {
    done: ({ key }) => change({ icon: key }),
  });
  const take = async (picked: File | undefined) => {
    if (!picked) return;
    const fault = pictureError(picked);
    setWrong(fault);
    if (fault === null) await upload.send(picked);
    if (file.current) file.current.value = '';
  };
  return (
    <Field
      label="图标"
      help="正方形，边长至少 96；没有上传时按下面的字、色相和画面绘制"
      error={wrong ?? upload.errors.send ?? errors.icon}
    >
      {(control, onEdit) => (
        <span className="flex items-center gap-3">
          <img
            src={gameIconUrl({ ...doc, hue: Number.isFinite(doc.hue) ? doc.hue : 0 })}
            alt="图标预览"
            width={64}
            height={64}
            className="size-16 flex-none rounded-card"
          />
          <input
            {...control}
            ref={file}
            type="file"
            {...pictureInput}
            className="sr-only"
            onChange={(e) => void take(e.target.files?.[0])}
          />
          <Button size="sm" busy={upload.busy} onClick={() => file.current?.click()}>
            <ImagePlus className="icon size-3.5" aria-hidden="true" />
            {doc.icon ? '更换' : '上传图标'}
          </Button>
          {doc.icon && (
            <Button
              size="sm"
              kind="ghost"
              onClick={() => {
                change({ icon: null });
                setWrong(null);
                onEdit();
              }}
            >
              <X className="icon size-3.5" aria-hidden="true" />
              改用绘制的
            </Button>
          )}
        </span>
      )}
    </Field>
  );
}

/** Name, code, type, icon, rank among the hot games. */
export function BaseTab({ form }: { form: GameForm }) {
  const { doc, errors, change, info } = form;
  return (
    <div className="grid max-w-240 items-start gap-4 lg:grid-cols-2">
      <Section id="base" title="名称">
        <TextField
          label="游戏名称"
          required
          maxLength={20}
          value={doc.name}
          error={errors.name}
          onChange={(name) => change({ name })}
        />
        {info.version === 0 ? (
          <TextField
            label="编码"
            required
            maxLength={20}
            value={doc.code}
            error={errors.code}
            help="文件和网址靠它认游戏，发布后不能再改"
            onChange={(code) => change({ code: code.toLowerCase() })}
          />
        ) : (
          <p className="text-13 text-ink-2">
            编码 <code>{doc.code}</code>
            <span className="ml-2 text-12 text-ink-3">发布后不能再改</span>
          </p>
        )}
        <fieldset className="flex gap-6">
          <legend className="mb-1 text-13 font-medium">类型</legend>
          <Radio
            name="gameType"
            checked={doc.gameType === MOBILE_GAME}
            onChange={() => change({ gameType: MOBILE_GAME })}
          >
            手游
          </Radio>
          <Radio
            name="gameType"
            checked={doc.gameType === COMPUTER_GAME}
            onChange={() => change({ gameType: COMPUTER_GAME })}
          >
            端游
          </Radio>
        </fieldset>
        <NumberField
          label="热门排序"
          value={doc.hot}
          error={errors.hot}
          help="1 排最前；0 不算热门。品牌自己选了热门游戏的，以品牌的为准"
          onChange={(hot) => change({ hot: hot ?? 0 })}
        />
      </Section>
      <Section id="icon" title="图标与画面" note="商品没有传图时也用这个画面">
        <IconField form={form} />
        <div className="grid grid-cols-3 gap-3">
          <TextField
            label="图标上的字"
            maxLength={2}
            value={doc.glyph}
            error={errors.glyph}
            required={doc.icon === null}
            onChange={(glyph) => change({ glyph })}
          />
          <NumberField
            label="色相"
            required
            value={doc.hue}
            error={errors.hue}
            help="0 到 360"
            onChange={(hue) => change({ hue: hue ?? Number.NaN })}
          />
          <Field label="线稿" required error={errors.scene}>
            {(control) => (
              <Select
                {...control}
                small
                value={motifChoices.find(({ scene }) => motifOf(scene) === motifOf(doc.scene))?.scene}
                onChange={(e) =>
                  change({ scene: motifChoices.find(({ scene }) => scene === e.target.value)?.scene ?? doc.scene })
                }
              >
                {motifChoices.map(({ scene, label }) => (
                  <option key={scene} value={scene}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      </Section>
    </div>
  );
}
