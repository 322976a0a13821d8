// Draws the diagrams: `npm ci && npm run build`. Each NAME.dot becomes ../NAME.svg, which says what it
// was made from, so that a test can tell whether it is current.
import { instance } from '@viz-js/viz';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name), 'utf8');

/** SHA-256 over the diagram, the style and this program, in this order. */
function hashOf(source) {
  const hash = createHash('sha256');
  for (const name of [source, 'style.css', 'render.mjs']) hash.update(read(name));
  return hash.digest('hex');
}

/** Colours are the style's: what Graphviz says of them would only be in its way. */
function styled(svg, source) {
  const start = svg.indexOf('<svg');
  return svg
    .slice(start)
    .replace(/<!--[^]*?-->\n?/g, '')
    .replace(/<polygon fill="white" stroke="none"/, '<polygon class="paper"')
    .replace(/ (?:fill|stroke)="(?:black|none|lightgrey)"/g, '')
    .replace(/ font-family="[^"]*"/g, '')
    .replace('>', `>\n<!-- from src/${source}, ${hashOf(source)} -->\n<style>\n${read('style.css')}</style>`);
}

const viz = await instance();
for (const source of readdirSync(here).filter((name) => name.endsWith('.dot')).sort()) {
  const svg = viz.renderString(read(source), { format: 'svg', engine: 'dot' });
  writeFileSync(join(here, '..', source.replace(/dot$/, 'svg')), styled(svg, source));
}
