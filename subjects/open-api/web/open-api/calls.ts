import { codes, type ErrorName } from '#contract/codes.ts';
import * as open from '#subjects/open-api/contract/open-api.ts';
import { callExamples } from '../../rules/api-example.ts';
import { callText } from './examples.ts';

const SHOWN: readonly ErrorName[] = [
  'KEY_INVALID',
  'KEY_TIME',
  'KEY_REPLAY',
  'KEY_ENDED',
  'KEY_NETWORK',
  'KEY_SCOPE',
  'KEY_DROP',
  'GOODS_HELD',
  'GOODS_STATE',
  'RATE_LIMITED',
];

const ORDER = Object.keys(callExamples);

/** The documentation of each call and error. Only for the loader, so that the browser does not load the schemas. */
export function callsAndErrors() {
  return {
    // In the order in which a reader needs them, which the examples have.
    calls: Object.values(open)
      .filter((one) => 'path' in one)
      .toSorted((a, b) => ORDER.indexOf(a.path) - ORDER.indexOf(b.path))
      .flatMap((one) =>
        'path' in one
          ? [
              {
                method: one.method,
                path: one.path,
                scope: one.scope ?? null,
                summary: one.summary,
                about: 'about' in one ? (one.about ?? '') : '',
                examples: callText(one.method, one.path, callExamples[one.path]?.input ?? {}),
              },
            ]
          : [],
      ),
    errors: SHOWN.map((name) => [codes[name][0], codes[name][2]] as const),
  };
}
