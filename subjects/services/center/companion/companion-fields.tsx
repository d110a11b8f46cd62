import { useState } from 'react';
import type { getAccompanyerInfo } from '#subjects/services/contract/accompanyer.ts';
import type { Data } from '#contract/endpoint.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import type { MoreFields } from '#subjects/quick-coin/web/parts/coin/apply-form.tsx';
import { type Voice, VoiceField } from '../../web/parts/companion/voice-field.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';

export type Companion = NonNullable<Data<typeof getAccompanyerInfo>['accompanyer']>;

/** A companion's fields in addition to the common record, as sent. */
export interface CompanionValues {
  gender: Companion['gender'];
  city: string;
  tags: string[];
  trialMinutes: string;
  voice: string;
}

const GENDERS = [
  ['secret', '不公开'],
  ['female', '女'],
  ['male', '男'],
] as const;
const MAX_TAGS = 8;
const MAX_TAG = 10;

const tagsOf = (text: string): string[] => [...new Set(text.split(/[\s,，、]+/).filter((tag) => tag !== ''))];

function checked({ tags, trialMinutes, voice }: CompanionValues): FormErrors {
  return {
    tags:
      tags.length > MAX_TAGS
        ? `标签最多 ${MAX_TAGS} 个`
        : tags.some((tag) => tag.length > MAX_TAG)
          ? `每个标签最多 ${MAX_TAG} 个字`
          : undefined,
    trialMinutes:
      /^\d{1,2}$/.test(trialMinutes) && Number(trialMinutes) <= 30 ? undefined : '应为 0 到 30 分钟，不提供填 0',
    voice: voice === '' ? '请上传一段语音' : undefined,
  };
}

/** The fields of a companion: voice, gender, city, tags, trial. */
export function useCompanionFields(former: Companion | null): MoreFields<CompanionValues> {
  const [voice, setVoice] = useState<Voice | null>(former?.voice ?? null);
  return {
    fields: { gender: 'gender', city: 'city', tags: 'tags', trialMinutes: 'trialMinutes', voice: 'voice' },
    read: (text) => ({
      gender: text('gender') as Companion['gender'],
      city: text('city'),
      tags: tagsOf(text('tags')),
      trialMinutes: text('trialMinutes'),
      voice: voice?.key ?? '',
    }),
    check: checked,
    render: (errors) => (
      <>
        <VoiceField voice={voice} error={errors.voice} onChange={setVoice} />
        <div className="grid grid-cols-2 gap-4">
          <Field label="性别" error={errors.gender}>
            {(control) => (
              <Select {...control} name="gender" defaultValue={former?.gender ?? 'secret'}>
                {GENDERS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="城市" error={errors.city}>
            {(control) => <Input {...control} name="city" maxLength={20} defaultValue={former?.city ?? ''} />}
          </Field>
        </div>
        <Field label="标签" error={errors.tags} help="用空格隔开，最多 8 个，如 甜音 指挥 不骂人。">
          {(control) => <Input {...control} name="tags" maxLength={100} defaultValue={former?.tags.join(' ') ?? ''} />}
        </Field>
        <Field
          label="试玩时长（分钟）"
          error={errors.trialMinutes}
          help="新客第一单在这个时间内结束不收费；不提供填 0，最多 30。"
        >
          {(control) => (
            <Input
              {...control}
              name="trialMinutes"
              inputMode="numeric"
              className="w-28!"
              defaultValue={former?.trialMinutes ?? 0}
            />
          )}
        </Field>
      </>
    ),
  };
}
