import * as c from '#subjects/content/contract/staff-content.ts';
import * as l from '#subjects/content/contract/staff-leagues.ts';
import * as r from '#subjects/content/contract/staff-rules.ts';
import type { Binding } from '#server/binding.ts';
import { addAdvert, decideAdvert, handleBusiness, listAdverts, listBusiness, revealBusiness } from './adverts.ts';
import * as leagues from './leagues.ts';
import * as matches from './matches.ts';
import * as news from './news.ts';
import { dropDraft, listRules, publish, revoke, ruleHistory, saveDraft } from './public-texts.ts';

/** News, leagues, adverts, requests for co-operation, and public rules and agreements, for staff. */
export function bindContentStaff({ server }: Binding): void {
  bindNews(server);
  bindLeagues(server);
  server.serve(c.staffAdvertList, listAdverts);
  server.serve(c.addAdvert, addAdvert);
  server.serve(c.decideAdvert, decideAdvert);
  server.serve(c.staffBusinessList, listBusiness);
  server.serve(c.revealBusiness, (call, { id }) => revealBusiness(call, id));
  server.serve(c.handleBusiness, async (call, input) => {
    await handleBusiness(call, input);
    return {};
  });
  server.serve(r.ruleTexts, listRules);
  server.serve(r.ruleTextHistory, ruleHistory);
  server.serve(r.saveRuleDraft, saveDraft);
  server.serve(r.dropRuleDraft, dropDraft);
  server.serve(r.publishRule, publish);
  server.serve(r.revokeRule, revoke);
}

function bindNews(server: Binding['server']): void {
  server.serve(c.staffNewsList, news.listNews);
  server.serve(c.staffNewsInfo, (call, { id }) => news.newsForStaff(call, id));
  server.serve(c.staffNewsVersion, news.newsVersion);
  server.serve(c.saveNews, news.saveNews);
  server.serve(c.publishNews, news.publishNews);
}

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
