// Builds the console: `node build.mjs [DIRECTORY]`, by default into the server's resources.
// The same sources give the same bytes, and a hash of the sources is written into what is built:
// tests compare both.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, '../main/resources/console'));

/** All sources, by their paths with `/`, in the order of their characters. */
function sources() {
  return readdirSync(here, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(here.length + 1).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('node_modules/'))
    .sort();
}

/** SHA-256 over each path, a line feed, the file's own SHA-256 in hex, and a line feed. */
function hashOfSources() {
  const all = createHash('sha256');
  for (const path of sources()) {
    const own = createHash('sha256').update(readFileSync(join(here, path))).digest('hex');
    all.update(`${path}\n${own}\n`);
  }
  return all.digest('hex');
}

/** The notices of the packages that are part of the bundle, as their licences ask for. */
function licences(inputs) {
  const names = new Set();
  for (const input of Object.keys(inputs)) {
    const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[1]);
  }
  return [...names]
    .sort()
    .map((name) => {
      const folder = join(here, 'node_modules', name);
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].map((each) => join(folder, each)).find(existsSync);
      if (!file) throw new Error(`${name} has no licence file`);
      const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(72)}\n\n`);
}

const hash = hashOfSources();
const { outputFiles, metafile } = await build({
  absWorkingDir: here,
  entryPoints: { console: 'src/main.tsx', style: 'src/style.css' },
  outdir: 'out',
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'iife',
  target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'ascii',
  logLevel: 'warning',
  banner: {
    js: `/* Token Vault console, built from sources ${hash}; licences of others in licences.txt */`,
    css: `/* Token Vault console, built from sources ${hash} */`,
  },
});

mkdirSync(target, { recursive: true });
for (const file of outputFiles) {
  writeFileSync(join(target, file.path.replaceAll('\\', '/').split('/').pop()), file.contents);
}
for (const page of ['index.html', 'icon.svg']) {
  writeFileSync(join(target, page), readFileSync(join(here, 'src', page)));
}
writeFileSync(join(target, 'licences.txt'), licences(metafile.inputs));
