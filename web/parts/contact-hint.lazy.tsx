import { CircleAlert } from 'lucide-react';
import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import { plainLines } from '#subjects/goods/rules/listing-states.ts';

/** Shows which words will not be published, while typing. */
export default function Hint({ text, isReviewed, isName }: { text: string; isReviewed: boolean; isName: boolean }) {
  const { masked, sentences, text: left } = maskContacts(plainLines(text));
  if (!masked) return null;
  return (
    <p className="mt-1.5 flex gap-1 text-12 text-attn" role="status">
      <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
      <span className="min-w-0 break-all">
        {isName ? (
          '名称不能包含联系方式，请修改。'
        ) : (
          <>
            含有联系方式，这句话发布时会被整句删去：「{sentences.join('」「')}」。
            {left === '' && '删去后没有内容，请改写。'}
            {isReviewed && '审核人员会看到原文；'}站外交易不受平台保护。
          </>
        )}
      </span>
    </p>
  );
}
