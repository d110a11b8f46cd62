import type { publicTextVersions } from '#subjects/content/contract/content.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { articleText, type StoredBlock } from '../rules/article.ts';
import { ruleNoPattern } from '../rules/public-texts.ts';
import type { Call } from '#server/access/call.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { ruleVersions } from '#subjects/disputes/server/service.ts';
import { imageUrl } from '#subjects/media/server/service.ts';
import { legalVersions } from './legal.ts';
import { blocksForWire } from './rules.ts';

interface Version {
  version: number;
  title: string;
  blocks: StoredBlock[];
  text: string;
  from: Date;
  retired: boolean;
  revokedAt: Date | null;
}

/** The public versions of a rule or an agreement, newest first. Throws NOT_FOUND. */
export async function readPublicText(
  { ctx }: Call,
  { code }: Parsed<typeof publicTextVersions>,
): Promise<HandlerResult<typeof publicTextVersions>> {
  const isRule = ruleNoPattern.test(code);
  const versions: Version[] = isRule
    ? (await ruleVersions(ctx.db, code)).map((rule) => ({
        ...rule,
        text: rule.body,
        blocks: [{ t: 'p', text: rule.body }],
      }))
    : (await legalVersions(ctx.db, code)).map((text) => ({ ...text, retired: false, text: articleText(text.blocks) }));
  const visible = versions.filter(({ revokedAt }) => revokedAt === null);
  if (visible.length === 0) throw errorOf('NOT_FOUND', 'rule');
  const now = Date.now();
  const current = visible.findLast(({ from }) => from.getTime() <= now);
  return {
    code,
    isRule,
    list: visible
      .map((one) => ({
        ...one,
        blocks: blocksForWire(one.blocks, imageUrl),
        fromTime: one.from,
        state:
          one === current ? ('counts' as const) : one.from.getTime() > now ? ('planned' as const) : ('past' as const),
      }))
      .toReversed(),
  };
}
