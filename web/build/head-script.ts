import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';

const QUERY = '?head-script';

/** The syntax of a classic script, below that of the floor: without it an old browser would not show that it is too old (web/older). */
const TARGET = 'es2015';

/**
 * Compiles a file with what it imports to the text of one classic script.
 * @throws Error when the text would end the element that contains it
 */
export async function compileHeadScript(file: string): Promise<{ text: string; files: string[] }> {
  const bundle = await rolldown({ input: file, platform: 'browser', transform: { target: TARGET } });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  if (code.includes('</script')) throw new Error(`${file} contains the end of a script element`);
  return { text: code.trim(), files: moduleIds };
}

/** Modules imported as `./file.ts?head-script` are the compiled text of the file: a script that a page contains as it is. */
export function headScript(): Plugin {
  return {
    name: 'head-script',
    enforce: 'pre',
    load: {
      filter: { id: /\?head-script$/ },
      async handler(id) {
        const { text, files } = await compileHeadScript(id.slice(0, -QUERY.length));
        for (const file of files) this.addWatchFile(file);
        return `export default ${JSON.stringify(text)};`;
      },
    },
  };
}
