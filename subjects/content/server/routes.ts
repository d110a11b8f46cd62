import * as s from '#subjects/content/contract/staff-content.ts';
import * as l from '#subjects/content/contract/staff-leagues.ts';
import * as c from '#subjects/content/contract/content.ts';
import { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import { getLeagueMatchList } from '#subjects/content/contract/leagues.ts';
import type { Binding } from '#server/binding.ts';
import { requestCooperation } from './business.ts';
import * as news from './news-staff.ts';
import * as leagues from './leagues.ts';
import * as matches from './matches.ts';
import { bindContentStaff } from './staff/routes.ts';
import { ADVERTS_CHANNEL } from './staff/adverts.ts';
import { listAdverts, listCases, listMatches, listNews, readCase, readNews } from './service.ts';
import { readPublicText } from './public-texts.ts';
import { ViewCounter } from './view-counter.ts';

/** News, cases, matches, adverts, and requests for business co-operation. */
export function bindContent(binding: Binding): void {
  const { ctx, server, http, effects } = binding;
  bindContentStaff(binding);
  const viewCounter = new ViewCounter(ctx);
  http.addHook('onClose', () => viewCounter.flush());
  server.serve(c.getNews, listNews);
  server.serve(c.newsInfo, async (call, { id }) => {
    const article = await readNews(call, { id });
    viewCounter.count('news', article.id, call.ip);
    return article;
  });
  server.serve(c.newsInfo2, async (call, { code }) => {
    const article = await readNews(call, { code });
    viewCounter.count('news', article.id, call.ip);
    return article;
  });
  server.serve(c.publicTextVersions, readPublicText);
  server.serve(c.eventCaseList, listCases);
  server.serve(c.eventCaseInfo, async (call, { caseId }) => {
    const found = await readCase(call, caseId);
    viewCounter.count('event_case', caseId, call.ip);
    return found;
  });
  server.serve(getLeagueMatchList, listMatches);
  server.serve(getDistGamedsAdverList, listAdverts, { cache: { channel: ADVERTS_CHANNEL, concerns: () => true } });
  server.serve(c.setDistBus, requestCooperation);
  bindNewsAdmin(server);
  bindLeagues(server);
  effects.timer('news.begin', (_ctx, id) => news.beginNews(ctx, Number(id)));
}

/** News in the back office. */
function bindNewsAdmin(server: Binding['server']): void {
  server.serve(s.staffNewsList, news.listNews);
  server.serve(s.staffNewsInfo, (call, { id }) => news.newsForStaff(call, id));
  server.serve(s.staffNewsVersion, news.newsVersion);
  server.serve(s.saveNews, news.saveNews);
  server.serve(s.publishNews, news.publishNews);
}

/** Leagues, matches and teams in the back office. */
function bindLeagues(server: Binding['server']): void {
  server.serve(l.staffLeagueList, leagues.listLeagues);
  server.serve(l.staffLeagueInfo, (call, { id }) => leagues.leagueForStaff(call, id));
  server.serve(l.saveLeague, leagues.saveLeague);
  server.serve(l.publishLeague, leagues.publishLeague);
  server.serve(l.staffMatchList, leagues.listMatches);
  server.serve(l.saveMatch, matches.saveMatch);
  server.serve(l.removeMatch, async (call, input) => {
    await matches.removeMatch(call, input);
    return {};
  });
  server.serve(l.staffTeamList, matches.listTeams);
  server.serve(l.saveTeam, matches.saveTeam);
  server.serve(l.removeTeam, async (call, input) => {
    await matches.removeTeam(call, input);
    return {};
  });
}
