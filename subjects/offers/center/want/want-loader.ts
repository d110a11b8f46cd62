import { AuthStatus } from '#contract/rules/statuses.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { searchAlertList } from '#subjects/offers/contract/alerts.ts';
import { gameList } from '#subjects/games/contract/games.ts';
import type { Data } from '#contract/endpoint.ts';
import { findSelfWantGoodsList } from '#subjects/offers/contract/offers.ts';
import { WantStatus } from '../../rules/want.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { type LoadContext, market, marketContext } from '#web/lib/pages/context.ts';
import { chosenTags, listInput, listPath, withExistingFields } from '#web/lib/lists/list-query.ts';
import { attempt } from '#web/lib/api/attempt.ts';
import { choicesFor } from '#subjects/goods/web/list-loader.ts';
import { wantFormState, wantTab, withFilters } from './want-query.ts';

export type OwnWant = Data<typeof findSelfWantGoodsList>['list'][number];

const PAGE = 20;
const MAX_TITLE = 60;

/** Input of the want list, for the first page or after a cursor. */
export function wantInput(status: number | null, cursor?: string) {
  return { pageSize: PAGE, ...(status !== null && { status }), ...(cursor && { cursor }) };
}

/** The want form: names for the numbers in the URL, and the available choices. */
async function loadForm(call: LoadContext['call'], query: URLSearchParams) {
  const formState = wantFormState(query);
  if (!formState) return null;
  const { editSn } = formState;
  // Requested by number: the edited want may be on any page of the list.
  const [{ choices, search }, games, existing] = await Promise.all([
    choicesFor(call, formState.state),
    call(gameList, {}),
    editSn === null ? null : call(findSelfWantGoodsList, { wantSn: editSn }),
  ]);
  const want = existing?.list[0];
  const state = withExistingFields(formState.state, choices.fields);
  if (existing && want?.status !== WantStatus.Open) notFound('这条求购不存在或已经结束');
  const { details } = listInput(state, choices.fields, null);
  return {
    editSn: want?.wantSn ?? null,
    title: query.get('title')?.trim().slice(0, MAX_TITLE) ?? '',
    want: want && { bigTitle: want.bigTitle, budget: want.budget, alert: want.alert },
    state: {
      gid: search.game?.id ?? null,
      gt: state.gt,
      areaId: state.areaId,
      serverId: state.serverId,
      max: state.max,
    },
    names: search,
    games: games.list.map(({ id, name }) => ({ id, name })),
    choices,
    details: typeof details === 'string' ? details : '{}',
    tags: chosenTags({ ...state, max: '', areaId: null, serverId: null }, choices.fields, {}).map(({ label }, i) => ({
      label,
      without: withoutField(state, editSn, [...state.fields.keys()][i]),
    })),
    listTo: listPath(state),
  };
}

function withoutField(
  state: NonNullable<ReturnType<typeof wantFormState>>['state'],
  editSn: string | null,
  key: string | undefined,
): string {
  const fields = new Map(state.fields);
  if (key !== undefined) fields.delete(key);
  return withFilters({ ...state, fields }, editSn);
}

/** The user's wants, the form when the URL names it, and the saved searches. */
export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const quiet = args.context.get(marketContext).call;
  const query = args.url.searchParams;
  const status = wantTab(query);
  const [result, alerts] = await Promise.all([
    attempt(quiet(findSelfWantGoodsList, wantInput(status))),
    attempt(quiet(searchAlertList, {})),
  ]);
  return {
    status,
    result,
    alerts,
    form: await loadForm(call, query),
    isVerified: user?.authStatus === AuthStatus.Verified,
  };
}

export type WantsData = Awaited<ReturnType<typeof loader>>;
export type WantFormData = NonNullable<WantsData['form']>;
