import type { Block } from '#subjects/content/contract/content.ts';
import { ARTICLE_MAX, blocksOf } from '../../rules/article.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Article } from '../../web/parts/article/blocks.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';

/** Preview of a body as readers will see it, or its error. */
function Preview({ text }: { text: string }) {
  const blocks = text.trim() === '' ? [] : blocksOf(text);
  if (typeof blocks === 'string') return <p className="text-13 text-attn">{blocks}</p>;
  if (blocks.length === 0) return <p className="text-13 text-ink-3">预览会显示在这里</p>;
  const preview = blocks.map((b): Block => (b.t === 'img' ? { t: 'img', url: `/img/${b.key}`, alt: b.alt } : b));
  // Its links lead to pages of the market, which are not served on this host.
  return (
    <div inert>
      <Article blocks={preview} />
    </div>
  );
}

/** The body of an article, one block per line, with its preview. */
export function BodyField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: Message | undefined;
  onChange: (text: string) => void;
}) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Field
        label="正文"
        required
        error={error}
        help="一行一段：# 标题、- 列表、> 提示、[文字](/地址) 链接。不支持网页代码，写了也只显示为文字"
      >
        {(control) => (
          <Textarea
            {...control}
            rows={22}
            maxLength={ARTICLE_MAX}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <section className="panel h-fit max-h-150 overflow-auto p-4" aria-label="预览" tabIndex={0}>
        <Preview text={value} />
      </section>
    </div>
  );
}
