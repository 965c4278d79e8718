// An esbuild plugin: puts the script and the style of report pages, built from src/page, into their placeholder file.
import { build, transform } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const page = resolve(import.meta.dirname, '../src/page');

export const pageAssets = {
  name: 'page-assets',
  setup(bundle) {
    bundle.onLoad({ filter: /[/\\]src[/\\]views[/\\]report[/\\]pageAssets\.ts$/ }, async () => {
      const { outputFiles } = await build({
        entryPoints: [resolve(page, 'main.ts')],
        bundle: true,
        minify: true,
        format: 'iife',
        platform: 'browser',
        target: ['chrome109', 'firefox115', 'safari16.4'],
        // a page may be opened in any encoding, and a script must not close its own element
        charset: 'ascii',
        legalComments: 'none',
        write: false,
        logLevel: 'warning',
      });
      const css = await readFile(resolve(page, 'page.css'), 'utf8');
      const style = await transform(css, { loader: 'css', minify: true, charset: 'utf8' });
      const values = { pageScript: outputFiles[0].text.trim(), pageStyle: style.code.trim() };
      for (const [name, text] of Object.entries(values))
        if (/<\/(script|style)/i.test(text)) throw new Error(`${name} would end its own element`);
      const contents = Object.entries(values)
        .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
        .join('\n');
      return { contents, loader: 'js' };
    });
  },
};
