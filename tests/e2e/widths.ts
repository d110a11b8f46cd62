/**
 * At which width each journey runs. `npm test` runs a trade at one width, since its rules are proved by the HTTP tests, and what has a form
 * of its own on a phone at both. `npm run test:long` (TEST_LANE=long) runs all of them at both.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { LANE } from '../sizes.ts';

export type Width = 'desktop' | 'phone';

/** Files that open both widths themselves, or none. */
export const LOOKED_AT_ONCE = ['crawl.spec.ts', 'answers.spec.ts'];

const BOTH: readonly Width[] = ['desktop', 'phone'];

/**
 * The lists of both widths take about the same time, and run side by side in one market. Journeys that change the demo seller's listings are
 * at the desktop's width, one after another. A file with a test that skips itself on a phone is never listed only for the phone.
 */
const WIDTHS: Readonly<Record<string, readonly Width[]>> = {
  'beside-chat.spec.ts': ['desktop'],
  'boosting.spec.ts': ['phone'],
  'brand.spec.ts': ['desktop'],
  'page.spec.ts': BOTH,
  'chat.spec.ts': ['phone'],
  'coins.spec.ts': ['phone'],
  'companion.spec.ts': ['phone'],
  'cover.spec.ts': ['phone'],
  'drafts.spec.ts': ['desktop'],
  'forms.spec.ts': ['desktop'],
  'games.spec.ts': ['desktop'],
  'handover.spec.ts': ['phone'],
  'inspection.spec.ts': ['desktop'],
  'layout.spec.ts': ['desktop'],
  'merchant.spec.ts': ['desktop'],
  'offers.spec.ts': ['desktop'],
  'offline.spec.ts': ['phone'],
  'pay-places.spec.ts': ['desktop'],
  'phone.spec.ts': BOTH,
  'pre-hydration.spec.ts': ['phone'],
  'publish.spec.ts': BOTH,
  'questions.spec.ts': ['desktop'],
  'recycling.spec.ts': ['phone'],
  'review-undo.spec.ts': ['desktop'],
  'search.spec.ts': BOTH,
  'served-parts.spec.ts': ['phone'],
  'service.spec.ts': ['phone'],
  'smoke.spec.ts': ['desktop'],
  'staff-failures.spec.ts': ['desktop'],
  'staff-lists.spec.ts': ['desktop'],
  'staff-typing.spec.ts': ['desktop'],
  'style-file.spec.ts': BOTH,
  'trade.spec.ts': ['phone'],
};

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.spec.ts'))
  .map((path) => basename(path));
const unlisted = files.filter((name) => !LOOKED_AT_ONCE.includes(name) && !(name in WIDTHS));
if (unlisted.length > 0) throw new Error(`tests/e2e/widths.ts does not list ${unlisted.join(', ')}`);

/** The files of one width, in the lane of this run. */
export const isAt = (width: Width): string[] =>
  Object.keys(WIDTHS).filter((name) => LANE === 'long' || WIDTHS[name]?.includes(width));
