/** `npm run admin -- help`: staff, brands, games, settings, keys, failed jobs and restores from the machine's own shell. */
import { runAdmin } from '../server/admin/main.ts';

const code = await runAdmin(process.argv.slice(2), process.env, {
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
});
// A start that fails midway leaves connections open.
process.exit(code);
