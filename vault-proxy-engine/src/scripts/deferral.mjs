// Moves the functions of Babel that usual transforms do not need out of its script, since parsing them
// takes more time than compiling a transform. Moves its large modules as well: as one class of the
// JVM, the script would have too many constants.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';

const { parse } = createRequire(import.meta.url)('@babel/parser');

/** Shorter functions stay: what takes their place has about this length. */
const SHORTEST = 150;

/** Modules with fewer characters stay in the script. */
const LARGE = 2000;

/** The functions of a script, an outer one before those in it. */
function functionsOf(code) {
  const found = [];
  const open = [{ node: parse(code, { sourceType: 'script' }).program, outer: null, strict: false }];
  while (open.length > 0) {
    const { node, outer, strict } = open.pop();
    let at = { outer, strict };
    if (node.type === 'BlockStatement' || node.type === 'Program') {
      at.strict = strict || node.directives.some((each) => each.value.value === 'use strict');
    }
    if (/Function|Method$/.test(node.type)) {
      at = { outer: { node, outer, strict, index: found.length }, strict };
      found.push(at.outer);
    }
    for (const value of Object.values(node).flat()) {
      if (typeof value?.type === 'string' && value !== node.loc) open.push({ node: value, ...at });
    }
  }
  return found;
}

/** A script with other texts at some places of it: [start, end, text]. */
function edited(code, edits) {
  let at = 0;
  let text = '';
  for (const [start, end, by] of edits.sort((a, b) => a[0] - b[0])) {
    text += code.slice(at, start) + by;
    at = end;
  }
  return text + code.slice(at);
}

/** The script, with a call at the start of each function. */
function counting(code, functions) {
  return edited(code, functions.flatMap(({ node: { body }, index }) => {
    const called = `called(${index})`;
    if (body.type !== 'BlockStatement') return [[body.start, body.start, `(${called},`], [body.end, body.end, ')']];
    const start = body.directives.at(-1)?.end ?? body.start + 1;
    return [[start, start, `${called};`]];
  }));
}

/** The numbers of the functions that are called in order to load the compiler and compile a transform. */
function calledFor(counted, scripts, source) {
  const called = new Set();
  const realm = vm.createContext({ called: (index) => called.add(index) });
  const part = (name) => vm.runInContext(readFileSync(join(scripts, `${name}.js`), 'utf8'), realm);
  vm.runInContext('var self = this, console = {log() {}, warn() {}, error() {}};', realm);
  counted.runInContext(realm);
  const [Babel, lowering, regExps] = [realm.Babel, part('lowering'), part('regexps')];
  const helpers = part('helpers')(Babel, lowering, JSON.parse(readFileSync(join(scripts, 'helpers.json'), 'utf8')));
  const compiler = part('compile')(Babel, lowering, part('walk')(regExps), part('fidelity'), part('checks')(regExps), helpers);
  const { flaws } = compiler.compile(source, false, {});
  if (flaws) throw new Error(JSON.stringify(flaws));
  return called;
}

/** Whether each function is called for a third of some transforms at least. */
function usual(code, functions, scripts, transforms) {
  const counted = new vm.Script(counting(code, functions));
  const times = functions.map(() => 0);
  for (const source of transforms) calledFor(counted, scripts, source).forEach((index) => (times[index] += 1));
  return functions.map(({ index }) => 3 * times[index] >= transforms.length);
}

/** Whether a function can get its parameters and "this" from another one in its place. */
function isMovable({ type, async, generator, params }) {
  return type !== 'ArrowFunctionExpression' && !async && !generator && params.every((each) => each.type === 'Identifier');
}

/** The script, and the text before with the functions appended that were moved out of the script. */
function without(functions, code, before) {
  const edits = [];
  let rest = before;
  for (const { node: { body, params }, strict } of functions) {
    const parameters = params.map((each) => each.name).join();
    const start = rest.length;
    rest += `(function(${parameters}){${strict ? '"use strict";' : ''}${code.slice(body.start + 1, body.end)})`;
    edits.push([body.start, body.end, `{return deferred(${start},${rest.length},function(){}).apply(this,arguments)}`]);
  }
  return { code: edited(code, edits), rest };
}

/** The functions that usual transforms do not need, without those in them. */
function unusual(functions, isUsual) {
  const moved = new Set();
  return functions.filter((each) => {
    const { node, outer, index } = each;
    const fits = !isUsual[index] && node.end - node.start >= SHORTEST && isMovable(node);
    if (fits || moved.has(outer)) moved.add(each);
    return fits && !moved.has(outer);
  });
}

/** The modules of the bundle: methods of objects in its outermost function. */
function largeModules(functions) {
  return functions.filter(({ node, outer }) => node.type === 'ObjectMethod' && outer && !outer.outer
    && node.end - node.start >= LARGE && isMovable(node));
}

/**
 * The script, and a text with the functions that were moved out of it. In the place of each is one
 * with the same parameters that gets it, in its own scope, from deferred(start, end, scope).
 */
export function deferred(code, scripts, transforms) {
  if (/\bdeferred\b/.test(code)) throw new Error('the script has something else of this name');
  const functions = functionsOf(code);
  const reduced = without(unusual(functions, usual(code, functions, scripts, transforms)), code, '');
  return without(largeModules(functionsOf(reduced.code)), reduced.code, reduced.rest);
}
