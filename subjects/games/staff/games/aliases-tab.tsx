import { useState } from 'react';
import { Field, messageText } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import { TextField } from './inputs.tsx';
import type { GameForm } from './use-game-form.ts';

const linesOf = (text: string): string[] =>
  text
    .split(/[\n、,，]/)
    .map((s) => s.trim())
    .filter((s) => s !== '');

/** Edits the search terms of the game: pinyin, its initials, other names and usual misspellings. */
export function AliasesTab({ form }: { form: GameForm }) {
  const { doc, errors, change } = form;
  const [typed, setTyped] = useState({ text: doc.aliases.join('\n'), of: doc.aliases });
  const text = typed.of === doc.aliases ? typed.text : doc.aliases.join('\n');
  const wrong = doc.aliases.findIndex((_, i) => errors[`aliases.${i}`] !== undefined);
  return (
    <div className="grid max-w-240 items-start gap-4 lg:grid-cols-2">
      <Section id="pinyin" title="拼音" note="新建时按名称生成，多音字请核对">
        <TextField
          label="全拼"
          required
          value={doc.pinyin}
          error={errors.pinyin}
          help="小写，不含空格和声调"
          onChange={(pinyin) => change({ pinyin: pinyin.toLowerCase() })}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="缩写"
            required
            maxLength={20}
            value={doc.initials}
            error={errors.initials}
            onChange={(initials) => change({ initials: initials.toLowerCase() })}
          />
          <TextField
            label="首字母"
            required
            maxLength={1}
            value={doc.initial}
            error={errors.initial}
            help="全部游戏页按它分组"
            onChange={(initial) => change({ initial: initial.toUpperCase() })}
          />
        </div>
      </Section>
      <Section id="aliases" title="别名与错字" note={`${doc.aliases.length} 个`}>
        <Field
          label="别名"
          help="每行一个：简称、旧名、英文名、常见错字；搜索和导入库存表都认"
          error={
            wrong >= 0 ? `${doc.aliases[wrong] || '空行'}：${messageText(errors[`aliases.${wrong}`])}` : errors.aliases
          }
        >
          {(control) => (
            <Textarea
              {...control}
              rows={10}
              value={text}
              onChange={(e) => {
                const aliases = linesOf(e.target.value);
                setTyped({ text: e.target.value, of: aliases });
                change({ aliases });
              }}
            />
          )}
        </Field>
      </Section>
    </div>
  );
}
